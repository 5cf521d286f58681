SELECT entry
FROM versions
WHERE package IN (SELECT value FROM json_each(:culdesac_packages))
GROUP BY entry
HAVING count(DISTINCT package) = json_array_length(:culdesac_packages)
