SELECT pk, signature, signature_zh
FROM entries_fts_tokens
WHERE pk IN (SELECT value FROM json_each(:pks))
