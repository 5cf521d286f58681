SELECT min(pk), max(pk)
FROM (SELECT pk FROM entries WHERE pk >= :first ORDER BY pk LIMIT :size)
