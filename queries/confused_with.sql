-- title: Errors that are confused with each other
-- title_zh: 容易混淆的错误
--
-- What :id (an entry's id or an error_id; all when it isn't set) is confused with, and how to tell the two apart.
-- in_file says whether the file has the other one, too.
--
--   .param set :id "'pytorch/nccl-timeout-during-allreduce'"
--   .param set :limit 100                 at most 1000 (optional, 100)
SELECT
    entries.id,
    entries.signature,
    transitions.to_id AS confused_with,
    other.signature AS other_signature,
    transitions.distinction,
    other.pk IS NOT NULL AS in_file
FROM transitions
JOIN entries ON entries.pk = transitions.entry
LEFT JOIN entries AS other ON other.pk = transitions.to_entry
WHERE transitions.kind = 'frequently_confused_with'
    AND transitions.entry IN (
        SELECT pk FROM entries WHERE id = substr(CAST(:id AS TEXT), 1, 500)
        UNION ALL
        SELECT pk FROM entries WHERE error_id = substr(CAST(:id AS TEXT), 1, 500)
        UNION ALL
        SELECT entry FROM transitions WHERE coalesce(:id, '') = ''
    )
ORDER BY entries.pk, transitions.position
LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 1000) ELSE 100 END;
