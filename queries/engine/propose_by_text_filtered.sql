-- As propose_by_text.sql, but only entries that pass the filters.
SELECT entries.pk
FROM entries_fts
JOIN entries ON entries.pk = entries_fts.rowid
WHERE entries_fts MATCH :term
    AND (:domain IS NULL OR entries.domain = :domain)
    AND (:os IS NULL OR entries.os = :os)
    AND (:category IS NULL OR entries.category = :category)
    AND (:resolvable IS NULL OR entries.resolvable = :resolvable)
    AND (:verification_tier IS NULL OR entries.verification_tier = :verification_tier)
    AND (:country IS NULL OR entries.country = :country)
    AND (:chinese IS NULL OR (:chinese = 'yes' AND entries.signature_zh <> ''))
    AND (:package IS NULL OR EXISTS (
        SELECT 1 FROM versions WHERE versions.package = :package AND versions.entry = entries.pk
    ))
LIMIT :limit
