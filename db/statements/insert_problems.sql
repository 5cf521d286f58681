INSERT INTO problems (entry, code, severity, field, message) VALUES (?, ?, ?, ?, ?)
