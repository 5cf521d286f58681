SELECT pk, id, error_id, signature, signature_zh, regex, domain, resolvable, fix_success_rate, root_cause, root_cause_zh
FROM entries
WHERE pk IN (SELECT value FROM json_each(:pks))
