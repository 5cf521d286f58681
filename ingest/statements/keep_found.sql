INSERT INTO problems (entry, code, severity, field, message)
SELECT entry, code, severity, field, message FROM temp.found ORDER BY entry, code, field, message
