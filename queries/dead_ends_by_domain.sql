-- title: What not to try, by domain
-- title_zh: 各领域的无效做法
--
-- The dead ends of :domain (or of all domains), those that fail most often first. Rates are their authors' claims.
--
--   .param set :domain "'docker'"
--   .param set :limit 50                  at most 1000 (optional, 50)
SELECT
    entries.domain,
    entries.signature,
    dead_ends.action,
    dead_ends.why_fails,
    dead_ends.fail_rate,
    entries.id
FROM entries
JOIN dead_ends ON dead_ends.entry = entries.pk
WHERE entries.domain IN (
    SELECT substr(CAST(:domain AS TEXT), 1, 200) WHERE coalesce(:domain, '') <> ''
    UNION ALL
    SELECT DISTINCT domain FROM entries WHERE coalesce(:domain, '') = ''
)
ORDER BY dead_ends.fail_rate DESC, entries.pk, dead_ends.position
LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 1000) ELSE 50 END;
