SELECT folds.source, folds.target
FROM json_each(:characters) AS given
CROSS JOIN folds ON folds.source = given.value
