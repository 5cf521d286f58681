INSERT INTO dead_ends (
    pk, entry, position, action, why_fails, fail_rate, condition, common_misconception
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?
)
