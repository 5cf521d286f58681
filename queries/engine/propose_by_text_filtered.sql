-- As propose_by_text.sql, but only entries that pass the filters.
SELECT entries.pk
FROM entries_fts
JOIN entries ON entries.pk = entries_fts.rowid
WHERE entries_fts MATCH :term
    AND (:domain IS NULL OR entries.domain = :domain)
    AND (:os IS NULL OR entries.os = :os)
    AND (:package IS NULL OR EXISTS (
        SELECT 1 FROM versions WHERE versions.package = :package AND versions.entry = entries.pk
    ))
LIMIT :limit
