SELECT pk FROM entries WHERE id = :id
UNION ALL
SELECT pk FROM (SELECT pk FROM entries WHERE error_id = :id ORDER BY pk LIMIT 1)
LIMIT 1
