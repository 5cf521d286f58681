-- A scratch file beside the target: every entry once, the winner of each id, before the order of the new file is known.
PRAGMA journal_mode = off;
PRAGMA synchronous = off;
PRAGMA locking_mode = exclusive;

CREATE TABLE staged (
    id TEXT PRIMARY KEY,
    updated TEXT NOT NULL,
    evidence REAL NOT NULL,
    confidence REAL NOT NULL,
    source TEXT NOT NULL,
    place TEXT NOT NULL,
    touched INTEGER NOT NULL,
    digest BLOB NOT NULL,
    rows BLOB NOT NULL
);

-- What the target held before: enough to count what changed.
CREATE TABLE before (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    digest BLOB NOT NULL
) WITHOUT ROWID;
