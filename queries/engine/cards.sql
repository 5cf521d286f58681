-- What is weighed of entries: the columns of the index from the one that says most of what the error is to the least.
-- :pks is a JSON array.
SELECT
    tokens.pk, entries.error_id, entries.domain, entries.country, entries.regex, entries.signature,
    tokens.signature, tokens.signature_zh, tokens.keywords, tokens.root_cause, tokens.root_cause_zh,
    tokens.workarounds, tokens.workarounds_zh, tokens.dead_ends
FROM entries_fts_tokens AS tokens
JOIN entries ON entries.pk = tokens.pk
WHERE tokens.pk IN (SELECT value FROM json_each(:pks))
