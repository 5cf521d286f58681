SELECT
    entry, scope, key, value, type
FROM environments
WHERE entry BETWEEN :first AND :last
ORDER BY entry, scope, key
