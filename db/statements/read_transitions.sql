SELECT
    entry, kind, to_id, probability, condition, distinction, typical_delay
FROM transitions
WHERE entry BETWEEN :first AND :last
ORDER BY entry, kind, position
