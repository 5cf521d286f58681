-- The vectors of entries. :pks is a JSON array.
SELECT entry, vector FROM entry_vectors WHERE entry IN (SELECT value FROM json_each(:pks))
