INSERT INTO signature_words (word, entry) VALUES (?, ?)
