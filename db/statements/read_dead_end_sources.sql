SELECT step_sources.dead_end, step_sources.url
FROM dead_ends
JOIN step_sources ON step_sources.dead_end = dead_ends.pk
WHERE dead_ends.entry BETWEEN :first AND :last
ORDER BY step_sources.dead_end, step_sources.position
