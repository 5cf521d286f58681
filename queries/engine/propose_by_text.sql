-- As propose_by_text_filtered.sql without a filter: FTS5 sorts by itself, and no entry is read.
SELECT rowid, rank FROM entries_fts WHERE entries_fts MATCH :expression ORDER BY rank LIMIT :limit
