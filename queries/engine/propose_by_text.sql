-- The best documented entries that hold a term: pk runs from the best to the least.
SELECT rowid FROM entries_fts WHERE entries_fts MATCH :term LIMIT :limit
