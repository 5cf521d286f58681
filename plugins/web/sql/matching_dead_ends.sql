SELECT rowid FROM dead_ends_fts WHERE dead_ends_fts MATCH :culdesac_every
