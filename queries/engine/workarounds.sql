SELECT entry, action, how, success_rate, text_zh
FROM workarounds
WHERE entry IN (SELECT value FROM json_each(:pks))
ORDER BY entry, position
