INSERT INTO dead_ends_fts_tokens (pk, action, why_fails, condition) VALUES (?, ?, ?, ?)
