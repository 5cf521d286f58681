INSERT INTO about (key, value) VALUES (?, ?)
