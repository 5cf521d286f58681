-- The vectors of words. :words is a JSON array.
SELECT word, vector FROM word_vectors WHERE word IN (SELECT value FROM json_each(:words))
