SELECT entry, action, why_fails, fail_rate
FROM dead_ends
WHERE entry IN (SELECT value FROM json_each(:pks))
ORDER BY entry, position
