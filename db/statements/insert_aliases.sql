INSERT INTO aliases (
    entry, position, value
) VALUES (
    ?, ?, ?
)
