-- The best documented entries.
SELECT id, signature, signature_zh, domain FROM entries ORDER BY pk LIMIT :limit
