SELECT step_sources.workaround, step_sources.url
FROM workarounds
JOIN step_sources ON step_sources.workaround = workarounds.pk
WHERE workarounds.entry BETWEEN :first AND :last
ORDER BY step_sources.workaround, step_sources.position
