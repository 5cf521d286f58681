-- Entries by tenths of their claimed rate; 1 is in the last tenth, and what is no share isn't counted.
SELECT min(CAST(fix_success_rate * 10 + 1e-9 AS INTEGER), 9) AS tenth, count(*) AS entries
FROM entries
WHERE fix_success_rate BETWEEN 0 AND 1
GROUP BY tenth
