-- Entries that name a package.
pk IN (SELECT entry FROM versions WHERE package = :package)
