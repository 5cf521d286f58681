SELECT key, value FROM about
