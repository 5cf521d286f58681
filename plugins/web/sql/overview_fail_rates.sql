-- Dead ends by tenths of the rate at which they are claimed to fail.
SELECT min(CAST(fail_rate * 10 + 1e-9 AS INTEGER), 9) AS tenth, count(*) AS dead_ends
FROM dead_ends
WHERE fail_rate BETWEEN 0 AND 1
GROUP BY tenth
