-- The best entries for a full-text expression, by the weights that stand in the index.
SELECT entries.pk, entries_fts.rank
FROM entries_fts
JOIN entries ON entries.pk = entries_fts.rowid
WHERE entries_fts MATCH :expression
    AND (:domain IS NULL OR entries.domain = :domain)
    AND (:os IS NULL OR entries.os = :os)
    AND (:package IS NULL OR EXISTS (
        SELECT 1 FROM versions WHERE versions.package = :package AND versions.entry = entries.pk
    ))
ORDER BY entries_fts.rank, entries.pk
LIMIT :limit
