INSERT INTO workarounds_fts_tokens (pk, action, how, condition, text_zh) VALUES (?, ?, ?, ?, ?)
