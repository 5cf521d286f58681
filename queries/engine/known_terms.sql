-- Which of the given words the index holds, and in how many entries. :words is a JSON array.
SELECT terms.term, terms.entries
FROM json_each(:words) AS word
CROSS JOIN terms ON terms.term = word.value
