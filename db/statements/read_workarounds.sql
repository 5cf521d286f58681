SELECT
    entry, pk, action, how, success_rate, condition, tradeoff, text_zh
FROM workarounds
WHERE entry BETWEEN :first AND :last
ORDER BY entry, position
