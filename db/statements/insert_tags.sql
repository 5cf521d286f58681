INSERT INTO tags (
    entry, position, value
) VALUES (
    ?, ?, ?
)
