SELECT
    entry, value
FROM tags
WHERE entry BETWEEN :first AND :last
ORDER BY entry, position
