SELECT
    entry, value
FROM aliases
WHERE entry BETWEEN :first AND :last
ORDER BY entry, position
