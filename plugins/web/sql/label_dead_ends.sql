SELECT entries.id, coalesce(nullif(dead_ends.action, ''), dead_ends.why_fails, '-') AS label
FROM dead_ends
JOIN entries ON entries.pk = dead_ends.entry
WHERE dead_ends.pk = :pk
