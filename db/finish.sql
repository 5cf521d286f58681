-- Run once, after the rows and db/indexes.sql: what can only be known, or only be made cheaply, when all rows are there.

-- An edge names an entry, or an error, whose best entry is the first.
UPDATE transitions SET to_entry = (SELECT pk FROM entries WHERE entries.id = transitions.to_id);
UPDATE transitions SET to_entry = (SELECT min(pk) FROM entries WHERE entries.error_id = transitions.to_id)
WHERE to_entry IS NULL;

INSERT INTO entries_fts (entries_fts) VALUES ('rebuild');
INSERT INTO workarounds_fts (workarounds_fts) VALUES ('rebuild');
INSERT INTO dead_ends_fts (dead_ends_fts) VALUES ('rebuild');
INSERT INTO entries_fts (entries_fts) VALUES ('optimize');
INSERT INTO workarounds_fts (workarounds_fts) VALUES ('optimize');
INSERT INTO dead_ends_fts (dead_ends_fts) VALUES ('optimize');

CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, entries_fts, row);
INSERT INTO terms (term, entries, signatures)
SELECT vocabulary.term, vocabulary.doc, (SELECT count(*) FROM signature_words WHERE word = vocabulary.term)
FROM temp.vocabulary
ORDER BY vocabulary.term;
DROP TABLE temp.vocabulary;
