INSERT INTO temp.found (entry, code, severity, field, message) VALUES (?, ?, ?, ?, ?)
