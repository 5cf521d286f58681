-- Every domain and how many entries it has, the largest first.
SELECT domain, count(*) FROM entries WHERE domain IS NOT NULL GROUP BY domain ORDER BY count(*) DESC, domain
