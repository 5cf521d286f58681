-- Which of the given words the index holds, in how many entries and how many signatures. :words is a JSON array.
SELECT terms.term, terms.entries, terms.signatures
FROM json_each(:words) AS word
CROSS JOIN terms ON terms.term = word.value
