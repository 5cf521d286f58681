-- title: What's new
-- title_zh: 最近更新
--
-- The entries that were updated last (or, where that isn't said, confirmed or seen last): all, or those since :since.
--
--   .param set :since "'2026-01-01'"      a date, ISO 8601 (optional)
--   .param set :limit 50                  at most 1000 (optional, 50)
SELECT
    coalesce(last_updated, last_confirmed, first_seen) AS date,
    id,
    signature,
    domain,
    verification_tier,
    review_status
FROM entries
WHERE coalesce(last_updated, last_confirmed, first_seen) >= substr(CAST(coalesce(:since, '') AS TEXT), 1, 40)
ORDER BY date DESC, pk
LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 1000) ELSE 50 END;
