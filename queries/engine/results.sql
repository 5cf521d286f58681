-- What a result shows of its entry. :pks is a JSON array.
SELECT
    pk, id, error_id, signature, signature_zh, domain, resolvable, fix_success_rate, root_cause, root_cause_zh
FROM entries
WHERE pk IN (SELECT value FROM json_each(:pks))
