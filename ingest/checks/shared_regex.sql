SELECT pk, error_id, regex
FROM entries
WHERE regex IN (
    SELECT regex FROM entries WHERE regex <> '' GROUP BY regex HAVING min(error_id) < max(error_id)
)
ORDER BY regex, pk
