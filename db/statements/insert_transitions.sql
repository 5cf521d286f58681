INSERT INTO transitions (
    entry, position, kind, to_id, probability, condition, distinction, typical_delay
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?
)
