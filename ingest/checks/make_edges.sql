CREATE TEMP TABLE check_edges (
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (kind, source, target)
) WITHOUT ROWID
