INSERT OR IGNORE INTO signature_keys (key, entry) VALUES (?, ?)
