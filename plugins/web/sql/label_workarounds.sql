SELECT entries.id, coalesce(nullif(workarounds.action, ''), workarounds.how, '-') AS label
FROM workarounds
JOIN entries ON entries.pk = workarounds.entry
WHERE workarounds.pk = :pk
