INSERT INTO environments (
    entry, scope, key, value, type
) VALUES (
    ?, ?, ?, ?, ?
)
