SELECT
    entry, pk, action, why_fails, fail_rate, condition, common_misconception
FROM dead_ends
WHERE entry BETWEEN :first AND :last
ORDER BY entry, position
