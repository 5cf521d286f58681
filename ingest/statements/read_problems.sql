SELECT entries.id, problems.code, problems.severity, problems.field, problems.message
FROM problems
JOIN entries ON entries.pk = problems.entry
ORDER BY problems.pk
