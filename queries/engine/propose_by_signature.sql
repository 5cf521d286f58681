-- The entries whose signatures match an expression best.
SELECT entries.pk, signatures_fts.rank
FROM signatures_fts
JOIN entries ON entries.pk = signatures_fts.rowid
WHERE signatures_fts MATCH :expression
    AND (:domain IS NULL OR entries.domain = :domain)
    AND (:os IS NULL OR entries.os = :os)
    AND (:package IS NULL OR EXISTS (
        SELECT 1 FROM versions WHERE versions.package = :package AND versions.entry = entries.pk
    ))
ORDER BY signatures_fts.rank, entries.pk
LIMIT :limit
