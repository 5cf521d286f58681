INSERT INTO versions (
    entry, position, kind, version, package, specifier, introduced, deprecated, removed, behavior_change, status
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
