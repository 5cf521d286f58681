SELECT error_id, substr(signature, 1, :longest) FROM entries ORDER BY pk LIMIT :most
