-- The file. Plain tables, readable by someone who has never seen this project; docs/schema.md explains each column.
-- Nothing here is newer than SQLite 3.35, needs an extension, or depends on Python: `rebuild` works in a stock shell.

-- "Culd" as a 32-bit number says what the file is; user_version is the version of this schema (db/file.py has both).
PRAGMA application_id = 1131768932;
PRAGMA user_version = 3;

-- pk runs from the best documented entry to the least, so that the first rows of any list are worth reading first.
CREATE TABLE entries (
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    error_id TEXT NOT NULL,
    domain TEXT,
    slug TEXT,
    environment TEXT,
    signature TEXT NOT NULL,
    signature_zh TEXT,
    regex TEXT,
    category TEXT,
    subcategory TEXT,
    error_code TEXT,
    root_cause TEXT,
    root_cause_zh TEXT,
    root_cause_type TEXT,
    resolvable TEXT,
    fix_success_rate REAL,
    confidence REAL,
    evidence_count INTEGER,
    verification_tier TEXT,
    review_status TEXT,
    generated_by TEXT,
    os TEXT,
    country TEXT,
    official_doc_url TEXT,
    official_doc_section TEXT,
    first_seen TEXT,
    last_confirmed TEXT,
    last_updated TEXT,
    locale TEXT,
    url TEXT,
    schema_version TEXT,
    generation_date TEXT,
    last_verification TEXT,
    page_views INTEGER,
    ai_agent_hits INTEGER,
    human_hits INTEGER,
    dialect TEXT NOT NULL,
    source TEXT NOT NULL,
    extra TEXT,
    shape TEXT
);

CREATE TABLE versions (
    entry INTEGER NOT NULL REFERENCES entries (pk),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version TEXT,
    package TEXT,
    specifier TEXT,
    introduced TEXT,
    deprecated TEXT,
    removed TEXT,
    behavior_change TEXT,
    status TEXT,
    PRIMARY KEY (entry, position)
) WITHOUT ROWID;

CREATE TABLE workarounds (
    pk INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entries (pk),
    position INTEGER NOT NULL,
    action TEXT,
    how TEXT,
    success_rate REAL,
    condition TEXT,
    tradeoff TEXT,
    text_zh TEXT
);

CREATE TABLE dead_ends (
    pk INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entries (pk),
    position INTEGER NOT NULL,
    action TEXT,
    why_fails TEXT,
    fail_rate REAL,
    condition TEXT,
    common_misconception TEXT
);

CREATE TABLE step_sources (
    pk INTEGER PRIMARY KEY,
    workaround INTEGER REFERENCES workarounds (pk),
    dead_end INTEGER REFERENCES dead_ends (pk),
    position INTEGER NOT NULL,
    url TEXT NOT NULL,
    CHECK ((workaround IS NULL) <> (dead_end IS NULL))
);

CREATE TABLE transitions (
    pk INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entries (pk),
    kind TEXT NOT NULL CHECK (kind IN ('leads_to', 'preceded_by', 'frequently_confused_with')),
    position INTEGER NOT NULL,
    to_id TEXT,
    to_entry INTEGER REFERENCES entries (pk),
    probability REAL,
    condition TEXT,
    distinction TEXT,
    typical_delay TEXT
);

CREATE TABLE environments (
    entry INTEGER NOT NULL REFERENCES entries (pk),
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('text', 'json')),
    PRIMARY KEY (entry, scope, key)
) WITHOUT ROWID;

CREATE TABLE tags (
    entry INTEGER NOT NULL REFERENCES entries (pk),
    position INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (entry, position)
) WITHOUT ROWID;

CREATE TABLE aliases (
    entry INTEGER NOT NULL REFERENCES entries (pk),
    position INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (entry, position)
) WITHOUT ROWID;

CREATE TABLE os_notes (
    entry INTEGER NOT NULL REFERENCES entries (pk),
    os TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (entry, os)
) WITHOUT ROWID;

CREATE TABLE problems (
    pk INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entries (pk),
    code TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'info')),
    field TEXT NOT NULL,
    message TEXT NOT NULL
);

CREATE TABLE queries (
    name TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    sql TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE about (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Full text. The *_tokens tables hold folded and segmented text (docs/schema.md, "Full text"); the original stands
-- untouched in the tables above. The comment content="…" is how Datasette finds the index of a table whose content
-- stands elsewhere.
CREATE TABLE entries_fts_tokens (
    pk INTEGER PRIMARY KEY REFERENCES entries (pk),
    signature TEXT,
    keywords TEXT,
    root_cause TEXT,
    workarounds TEXT,
    dead_ends TEXT,
    signature_zh TEXT,
    root_cause_zh TEXT,
    workarounds_zh TEXT
);

CREATE TABLE workarounds_fts_tokens (
    pk INTEGER PRIMARY KEY REFERENCES workarounds (pk),
    action TEXT,
    how TEXT,
    condition TEXT,
    text_zh TEXT
);

CREATE TABLE dead_ends_fts_tokens (
    pk INTEGER PRIMARY KEY REFERENCES dead_ends (pk),
    action TEXT,
    why_fails TEXT,
    condition TEXT
);

CREATE VIRTUAL TABLE entries_fts USING fts5 /* content="entries" */ (
    signature, keywords, root_cause, workarounds, dead_ends, signature_zh, root_cause_zh, workarounds_zh,
    content = 'entries_fts_tokens', content_rowid = 'pk', tokenize = 'unicode61 remove_diacritics 0'
);

CREATE VIRTUAL TABLE workarounds_fts USING fts5 /* content="workarounds" */ (
    action, how, condition, text_zh,
    content = 'workarounds_fts_tokens', content_rowid = 'pk', tokenize = 'unicode61 remove_diacritics 0'
);

CREATE VIRTUAL TABLE dead_ends_fts USING fts5 /* content="dead_ends" */ (
    action, why_fails, condition,
    content = 'dead_ends_fts_tokens', content_rowid = 'pk', tokenize = 'unicode61 remove_diacritics 0'
);

-- A signature outweighs everything; the Chinese columns keep the 3 : 2 : 1 that was measured for them.
INSERT INTO entries_fts (entries_fts, rank) VALUES ('rank', 'bm25(10.0, 3.0, 2.0, 1.0, 0.5, 9.0, 6.0, 3.0)');
INSERT INTO workarounds_fts (workarounds_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.5, 2.0)');
INSERT INTO dead_ends_fts (dead_ends_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.5)');

-- How many entries, and how many signatures, hold a term: choosing a query's rare terms, and cutting unsegmented
-- Chinese into indexed words.
CREATE TABLE terms (
    term TEXT PRIMARY KEY,
    entries INTEGER NOT NULL,
    signatures INTEGER NOT NULL
) WITHOUT ROWID;

-- Characters that the index writes otherwise: full-width to half-width, traditional to simplified.
CREATE TABLE folds (
    source TEXT PRIMARY KEY,
    target TEXT NOT NULL
) WITHOUT ROWID;

-- Words of Taiwan and Hong Kong, in traditional characters, with the mainland's in simplified ones: 記憶體, 内存.
-- Changing characters alone doesn't lead from one to the other.
CREATE TABLE words_tw (
    word TEXT PRIMARY KEY,
    mainland TEXT NOT NULL
) WITHOUT ROWID;

-- Which signatures hold a word: a log is compared line by line with the signatures that share its rare words.
CREATE TABLE signature_words (
    word TEXT NOT NULL,
    entry INTEGER NOT NULL REFERENCES entries (pk),
    PRIMARY KEY (word, entry)
) WITHOUT ROWID;

-- The words of a signature in one normal form: an exact message is found by key, whatever bm25 thinks.
CREATE TABLE signature_keys (
    key TEXT NOT NULL,
    entry INTEGER NOT NULL REFERENCES entries (pk),
    PRIMARY KEY (key, entry)
) WITHOUT ROWID;

-- Latent semantic indexing (ingest/latent.py): words and entries as vectors in one space of so many dimensions, those
-- that keep the same company near each other. A vector is as many little-endian signed 16-bit integers, in every row
-- as many; an entry's has the length 32767. Words that only one entry holds have none, nor has an entry of such words.
CREATE TABLE word_vectors (
    word TEXT PRIMARY KEY,
    vector BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE entry_vectors (
    entry INTEGER PRIMARY KEY REFERENCES entries (pk),
    vector BLOB NOT NULL
);

-- Ranked search in Datasette's own page: `where match match '…'` gives bm25 order by `rank`.
CREATE VIEW search AS
SELECT
    entries.pk,
    entries.id,
    entries.signature,
    entries.signature_zh,
    entries.domain,
    entries.category,
    entries.resolvable,
    entries.fix_success_rate,
    entries.verification_tier,
    entries.root_cause_type,
    entries.os,
    entries.country,
    entries.root_cause,
    entries_fts.rank AS rank,
    entries_fts.entries_fts AS match
FROM entries_fts
JOIN entries ON entries.pk = entries_fts.rowid;
