-- The edges of an entry: its own first, then those that others draw to it. `outward` is 0 for theirs, 1 for its own.
SELECT
    1 AS outward, own.kind, own.to_id AS id, other.id AS entry_id, other.signature, other.signature_zh,
    own.probability, own.condition, own.distinction
FROM entries
CROSS JOIN transitions AS own ON own.entry = entries.pk
LEFT JOIN entries AS other ON other.pk = own.to_entry
WHERE entries.id = :id
UNION ALL
SELECT * FROM (
    SELECT
        0 AS outward, theirs.kind, other.error_id, other.id, other.signature, other.signature_zh,
        theirs.probability, theirs.condition, theirs.distinction
    FROM transitions AS theirs
    JOIN entries AS other ON other.pk = theirs.entry
    WHERE theirs.to_id IN (:id, :error_id) AND other.error_id <> :error_id
    ORDER BY other.pk, theirs.position
    LIMIT 100
)
LIMIT 200
