SELECT code, severity, field, message FROM problems WHERE entry = :entry ORDER BY pk
