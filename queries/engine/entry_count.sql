SELECT count(*) FROM entries
