SELECT pk, signature, keywords, root_cause, workarounds, dead_ends, signature_zh, root_cause_zh, workarounds_zh
FROM entries_fts_tokens
WHERE pk IN (SELECT value FROM json_each(:pks))
