SELECT DISTINCT entry, package FROM versions
WHERE entry IN (SELECT value FROM json_each(:pks)) AND package <> ''
ORDER BY entry, position
