INSERT INTO entry_vectors (entry, vector) VALUES (?, ?)
