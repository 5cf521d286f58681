SELECT pk, error_id, signature
FROM entries
WHERE signature IN (
    SELECT signature FROM entries WHERE signature <> '' GROUP BY signature HAVING min(error_id) < max(error_id)
)
ORDER BY signature, pk
