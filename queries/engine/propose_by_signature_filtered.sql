-- As propose_by_signature.sql, but only entries that pass the filters.
SELECT word.key, signature_words.entry
FROM json_each(:words) AS word
CROSS JOIN signature_words ON signature_words.word = word.value
JOIN entries ON entries.pk = signature_words.entry
WHERE (:domain IS NULL OR entries.domain = :domain)
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
