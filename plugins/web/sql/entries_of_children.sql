SELECT entry
FROM table_
WHERE column_ IN (SELECT value FROM json_each(:values_))
GROUP BY entry
HAVING count(DISTINCT column_) = json_array_length(:values_)
