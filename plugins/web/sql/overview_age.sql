-- Entries by the month in which they were last confirmed (or, where that isn't said, changed).
SELECT substr(coalesce(last_confirmed, last_updated), 1, 7) AS month, count(*) AS entries
FROM entries
WHERE coalesce(last_confirmed, last_updated) GLOB '[12][0-9][0-9][0-9]-[01][0-9]*'
GROUP BY month
ORDER BY month DESC
LIMIT 24
