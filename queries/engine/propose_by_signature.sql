-- Each signature that holds one of :words (a JSON array), once for each of them, the best documented first.
-- At most :limit of them all; -1 for no limit.
SELECT word.key, signature_words.entry
FROM json_each(:words) AS word
CROSS JOIN signature_words ON signature_words.word = word.value
LIMIT :limit
