SELECT rowid FROM entries_fts WHERE entries_fts MATCH :culdesac_every
