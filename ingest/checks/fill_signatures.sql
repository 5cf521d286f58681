INSERT INTO temp.check_signatures (rowid, signature)
SELECT pk, substr(signature, 1, :longest) FROM entries ORDER BY pk LIMIT :most
