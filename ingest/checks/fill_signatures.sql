INSERT INTO temp.check_signatures (rowid, signature) VALUES (?, ?)
