-- title: Problems of the data
-- title_zh: 数据问题
--
-- What the checks found, the worst first: all, or only those of :severity (error, warning, info) or :code.
--
--   .param set :severity "'error'"        (optional)
--   .param set :code "'regex-misses-signature'"   (optional)
--   .param set :limit 100                 at most 10000 (optional, 100)
SELECT
    problems.severity,
    problems.code,
    problems.field,
    problems.message,
    entries.id,
    entries.source
FROM problems
JOIN entries ON entries.pk = problems.entry
WHERE (coalesce(:severity, '') = '' OR problems.severity = :severity)
    AND (coalesce(:code, '') = '' OR problems.code = :code)
ORDER BY
    CASE problems.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END,
    problems.code,
    problems.entry,
    problems.pk
LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 10000) ELSE 100 END;
