SELECT coalesce(domain, '') AS domain, count(*) AS entries, count(DISTINCT error_id) AS errors
FROM entries
GROUP BY 1
ORDER BY entries DESC, domain
LIMIT 500
