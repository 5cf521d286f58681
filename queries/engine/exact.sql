-- Entries whose signature, in normal form, is one of :keys (a JSON array).
SELECT DISTINCT entries.pk, signature_keys.key
FROM json_each(:keys) AS given
CROSS JOIN signature_keys ON signature_keys.key = given.value
JOIN entries ON entries.pk = signature_keys.entry
WHERE (:domain IS NULL OR entries.domain = :domain)
    AND (:os IS NULL OR entries.os = :os)
    AND (:package IS NULL OR EXISTS (
        SELECT 1 FROM versions WHERE versions.package = :package AND versions.entry = entries.pk
    ))
ORDER BY entries.pk
LIMIT :limit
