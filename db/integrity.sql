-- The indexes against the tokens they were made from: PRAGMA integrity_check doesn't look there. Fails with an error.
INSERT INTO entries_fts (entries_fts, rank) VALUES ('integrity-check', 1);
INSERT INTO workarounds_fts (workarounds_fts, rank) VALUES ('integrity-check', 1);
INSERT INTO dead_ends_fts (dead_ends_fts, rank) VALUES ('integrity-check', 1);
