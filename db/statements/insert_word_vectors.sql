INSERT INTO word_vectors (word, vector) VALUES (?, ?)
