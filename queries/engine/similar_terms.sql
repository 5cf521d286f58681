-- Which of the given spellings the index holds. :words is a JSON array of [word, spelling].
SELECT json_extract(pair.value, '$[0]'), terms.term, terms.entries
FROM json_each(:words) AS pair
CROSS JOIN terms ON terms.term = json_extract(pair.value, '$[1]')
