INSERT INTO queries (name, title, sql) VALUES (?, ?, ?)
