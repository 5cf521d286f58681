INSERT INTO words_tw (word, mainland) VALUES (?, ?)
