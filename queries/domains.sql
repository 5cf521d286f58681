-- title: Domains
-- title_zh: 领域一览
--
-- How many entries and errors each domain has, how many can be resolved, and how often a fix is said to succeed.
-- No parameters.
SELECT
    domain,
    count(*) AS entries,
    count(DISTINCT error_id) AS errors,
    sum(resolvable = 'true') AS resolvable,
    sum(resolvable = 'false') AS not_resolvable,
    round(avg(fix_success_rate), 2) AS mean_fix_success_rate
FROM entries
GROUP BY domain
ORDER BY entries DESC, domain;
