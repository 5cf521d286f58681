SELECT code, severity, count(*) AS problems, count(DISTINCT entry) AS entries
FROM problems
GROUP BY code, severity
ORDER BY problems DESC, code
LIMIT 50
