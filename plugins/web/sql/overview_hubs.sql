-- The errors that most edges of the graph lead to, whoever drew them, by the entry they name.
SELECT entries.id, entries.signature, entries.signature_zh, hub.links
FROM (
    SELECT to_entry, count(*) AS links FROM transitions
    WHERE to_entry IS NOT NULL
    GROUP BY to_entry
    ORDER BY links DESC, to_entry
    LIMIT 15
) AS hub
JOIN entries ON entries.pk = hub.to_entry
ORDER BY hub.links DESC, entries.pk
