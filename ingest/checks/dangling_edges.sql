WITH placed AS (
    SELECT
        entry, kind, to_id, to_entry,
        row_number() OVER (PARTITION BY entry, kind ORDER BY position) - 1 AS place
    FROM transitions
)
SELECT entry, kind, place, to_id FROM placed WHERE to_entry IS NULL ORDER BY entry, kind, place
