SELECT min(pk), max(pk)
FROM (SELECT pk FROM entries WHERE pk > :after ORDER BY pk LIMIT :size)
