-- title: Workarounds that work best
-- title_zh: 最有效的解决方法
--
-- The workarounds of :domain (or of all domains) with the highest success rate, those with sources first among equals.
-- Rates are their authors' claims.
--
--   .param set :domain "'docker'"
--   .param set :limit 50                  at most 1000 (optional, 50)
SELECT
    entries.domain,
    entries.signature,
    workarounds.action,
    workarounds.how,
    workarounds.success_rate,
    (SELECT count(*) FROM step_sources WHERE step_sources.workaround = workarounds.pk) AS sources,
    entries.id
FROM entries
JOIN workarounds ON workarounds.entry = entries.pk
WHERE entries.domain IN (
    SELECT substr(CAST(:domain AS TEXT), 1, 200) WHERE coalesce(:domain, '') <> ''
    UNION ALL
    SELECT DISTINCT domain FROM entries WHERE coalesce(:domain, '') = ''
)
ORDER BY workarounds.success_rate DESC, sources DESC, entries.pk, workarounds.position
LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 1000) ELSE 50 END;
