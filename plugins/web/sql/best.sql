-- The best documented entries with their errors.
SELECT id, signature, signature_zh, domain, error_id FROM entries ORDER BY pk LIMIT :limit
