-- Entries whose signature, in normal form, is one of :keys (a JSON array).
SELECT DISTINCT entries.pk, signature_keys.key
FROM json_each(:keys) AS given
CROSS JOIN signature_keys ON signature_keys.key = given.value
JOIN entries ON entries.pk = signature_keys.entry
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
ORDER BY entries.pk
LIMIT :limit
