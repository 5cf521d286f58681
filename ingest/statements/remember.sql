INSERT OR REPLACE INTO before (id, source, digest) VALUES (?, ?, ?)
