-- How many of some entries have each value in a child table; `table_` and `column_` become its names.
SELECT column_ AS value, count(DISTINCT entry) AS entries
FROM table_
WHERE entry IN (SELECT pk FROM (/* entries */)) AND column_ <> ''
GROUP BY column_
ORDER BY entries DESC, column_
LIMIT :culdesac_most
