-- As propose_by_text.sql, but only entries that pass the filters. What few entries have is read once, as a list from its
-- index; what many have is looked up for each posting, which the limit soon ends. Filters that leave little come first.
SELECT rowid
FROM entries_fts
WHERE entries_fts MATCH :term
    AND (:package IS NULL OR entries_fts.rowid IN (SELECT versions.entry FROM versions WHERE package = :package))
    AND (:domain IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE domain = :domain LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE domain = :domain)
        ELSE :domain = (SELECT domain FROM entries WHERE pk = entries_fts.rowid)
    END)
    AND (:category IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE category = :category LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE category = :category)
        ELSE :category = (SELECT category FROM entries WHERE pk = entries_fts.rowid)
    END)
    AND (:country IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE country = :country LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE country = :country)
        ELSE :country = (SELECT country FROM entries WHERE pk = entries_fts.rowid)
    END)
    AND (:verification_tier IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE verification_tier = :verification_tier LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE verification_tier = :verification_tier)
        ELSE :verification_tier = (SELECT verification_tier FROM entries WHERE pk = entries_fts.rowid)
    END)
    AND (:os IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE os = :os LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE os = :os)
        ELSE :os = (SELECT os FROM entries WHERE pk = entries_fts.rowid)
    END)
    AND (:resolvable IS NULL OR CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE resolvable = :resolvable LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE resolvable = :resolvable)
        ELSE :resolvable = (SELECT resolvable FROM entries WHERE pk = entries_fts.rowid)
    END)
    AND (:chinese IS NULL OR (:chinese = 'yes' AND CASE
        WHEN (SELECT count(*) FROM (SELECT 1 FROM entries WHERE (signature_zh <> '') = 1 LIMIT 30000)) < 30000
        THEN entries_fts.rowid IN (SELECT pk FROM entries WHERE (signature_zh <> '') = 1)
        ELSE (SELECT signature_zh FROM entries WHERE pk = entries_fts.rowid) <> ''
    END))
LIMIT :limit
