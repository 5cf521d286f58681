-- The values that the best documented entries that pass have in a column, and how many errors have each.
-- The comments become its name, and a condition for each filter.
SELECT value, count(DISTINCT error_id) AS errors
FROM (SELECT /* column */ AS value, error_id FROM entries WHERE /* passing */ ORDER BY pk LIMIT :most)
WHERE value <> ''
GROUP BY value
ORDER BY errors DESC, value
