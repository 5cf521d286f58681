SELECT key, value FROM about ORDER BY key
