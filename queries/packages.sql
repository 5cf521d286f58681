-- title: Packages
-- title_zh: 软件包一览
--
-- The packages that entries are about, the most frequent first: all, or those whose name starts with :prefix.
--
--   .param set :prefix "'torch'"          (optional)
--   .param set :limit 100                 at most 10000 (optional, 100)
WITH
given (prefix) AS (SELECT substr(CAST(coalesce(:prefix, '') AS TEXT), 1, 200)),
counted (package, entries, ranges, best) AS (
    SELECT package, count(DISTINCT entry), count(DISTINCT specifier), min(entry)
    FROM versions
    WHERE package >= (SELECT prefix FROM given)
        AND substr(package, 1, (SELECT length(prefix) FROM given)) = (SELECT prefix FROM given)
    GROUP BY package
    ORDER BY 2 DESC, 1
    LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 10000) ELSE 100 END
)
SELECT counted.package, counted.entries, counted.ranges, entries.id AS best_entry
FROM counted
JOIN entries ON entries.pk = counted.best
ORDER BY counted.entries DESC, counted.package;
