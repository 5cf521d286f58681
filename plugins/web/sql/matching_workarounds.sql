SELECT rowid FROM workarounds_fts WHERE workarounds_fts MATCH :culdesac_every
