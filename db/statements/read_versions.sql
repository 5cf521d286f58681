SELECT
    entry, kind, version, package, specifier, introduced, deprecated, removed, behavior_change, status
FROM versions
WHERE entry BETWEEN :first AND :last
ORDER BY entry, position
