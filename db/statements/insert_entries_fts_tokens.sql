INSERT INTO entries_fts_tokens (
    pk, signature, keywords, root_cause, workarounds, dead_ends, signature_zh, root_cause_zh, workarounds_zh
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
