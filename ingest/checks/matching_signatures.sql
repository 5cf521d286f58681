-- Any signature that holds the texts, best entries first.
SELECT rowid FROM temp.check_signatures WHERE check_signatures MATCH :texts ORDER BY rowid LIMIT :most
