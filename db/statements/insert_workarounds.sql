INSERT INTO workarounds (
    pk, entry, position, action, how, success_rate, condition, tradeoff, text_zh
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?
)
