WITH placed AS (
    SELECT
        entry, kind, to_entry,
        row_number() OVER (PARTITION BY entry, kind ORDER BY position) - 1 AS place
    FROM transitions
)
SELECT placed.entry, placed.kind, placed.place, target.error_id
FROM placed
CROSS JOIN entries AS source ON source.pk = placed.entry
CROSS JOIN entries AS target ON target.pk = placed.to_entry
LEFT JOIN temp.check_edges AS answer
    ON answer.kind = CASE placed.kind
        WHEN 'leads_to' THEN 'preceded_by' WHEN 'preceded_by' THEN 'leads_to' ELSE placed.kind
    END
    AND answer.source = target.error_id
    AND answer.target = source.error_id
WHERE answer.kind IS NULL AND source.error_id <> target.error_id
ORDER BY placed.entry, placed.kind, placed.place
