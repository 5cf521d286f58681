-- Entries by the number of reports they rest on; each step begins where the one before ends.
SELECT
    CASE
        WHEN evidence_count < 1 THEN 0
        WHEN evidence_count < 4 THEN 1
        WHEN evidence_count < 10 THEN 4
        WHEN evidence_count < 30 THEN 10
        WHEN evidence_count < 100 THEN 30
        ELSE 100
    END AS at_least,
    count(*) AS entries
FROM entries
WHERE evidence_count IS NOT NULL
GROUP BY at_least
