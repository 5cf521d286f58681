-- As propose_by_signature.sql, but only entries that pass the filters; see propose_by_text_filtered.sql.
SELECT word.key, signature_words.entry
FROM json_each(:words) AS word
CROSS JOIN signature_words ON signature_words.word = word.value
WHERE true
    AND (:package IS NULL OR signature_words.entry IN (SELECT versions.entry FROM versions WHERE package = :package))
    AND (:domain IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE domain = :domain LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE domain = :domain)
        ELSE :domain = (SELECT domain FROM entries WHERE pk = signature_words.entry)
    END)
    AND (:category IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE category = :category LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE category = :category)
        ELSE :category = (SELECT category FROM entries WHERE pk = signature_words.entry)
    END)
    AND (:country IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE country = :country LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE country = :country)
        ELSE :country = (SELECT country FROM entries WHERE pk = signature_words.entry)
    END)
    AND (:verification_tier IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE verification_tier = :verification_tier LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE verification_tier = :verification_tier)
        ELSE :verification_tier = (SELECT verification_tier FROM entries WHERE pk = signature_words.entry)
    END)
    AND (:os IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE os = :os LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE os = :os)
        ELSE :os = (SELECT os FROM entries WHERE pk = signature_words.entry)
    END)
    AND (:resolvable IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE resolvable = :resolvable LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE resolvable = :resolvable)
        ELSE :resolvable = (SELECT resolvable FROM entries WHERE pk = signature_words.entry)
    END)
    AND (:chinese IS NULL OR (:chinese = 'yes' AND CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE (signature_zh <> '') = 1 LIMIT 30000)) < 30000
        THEN signature_words.entry IN (SELECT pk FROM entries WHERE (signature_zh <> '') = 1)
        ELSE (SELECT signature_zh FROM entries WHERE pk = signature_words.entry) <> ''
    END))
LIMIT :limit
