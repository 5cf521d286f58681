-- title: Search by keywords
-- title_zh: 按关键词搜索
--
-- The entries that hold any of the words of :q, the best match first. Words that no entry holds are left out, and of
-- the others the rarest are asked for first, until together they stand in 3,000 entries. Chinese: use search_zh.
--
--   .param set :q "'cuda out of memory'"
--   .param set :domain "'pytorch'"        only this domain (optional)
--   .param set :limit 20                  at most 100 (optional, 10)
WITH RECURSIVE
given (text) AS (SELECT lower(substr(CAST(coalesce(:q, '') AS TEXT), 1, 2000))),
place (i) AS (
    SELECT 1
    UNION ALL
    SELECT i + 1 FROM place WHERE i < (SELECT length(text) FROM given)
),
-- Letters and digits, as the index cuts words; runs of them have one difference between place and row number.
letter (i, run) AS (
    SELECT i, i - row_number() OVER (ORDER BY i)
    FROM place, given
    WHERE substr(text, i, 1) GLOB '[0-9a-z]' OR unicode(substr(text, i, 1)) > 191
),
word (word) AS MATERIALIZED (
    SELECT DISTINCT substr(text, min(i), min(count(*), 64)) FROM letter, given GROUP BY run
),
known (word, entries, n, spent) AS (
    SELECT
        word,
        entries,
        row_number() OVER (ORDER BY entries, word),
        sum(entries) OVER (ORDER BY entries, word)
    -- A subquery, since a join may read all of `terms` for a filter.
    FROM (SELECT word, (SELECT terms.entries FROM terms WHERE terms.term = word.word) AS entries FROM word)
    WHERE entries IS NOT NULL
),
expression (text) AS MATERIALIZED (
    SELECT coalesce(group_concat('"' || word || '"', ' OR '), '""')
    FROM known
    WHERE n <= 4 OR (n <= 64 AND spent <= 3000)
)
SELECT
    entries.id,
    entries.signature,
    entries.domain,
    entries.resolvable,
    entries.fix_success_rate,
    round(-entries_fts.rank, 2) AS score
FROM entries_fts
JOIN entries ON entries.pk = entries_fts.rowid
WHERE entries_fts MATCH (SELECT text FROM expression)
    AND (coalesce(:domain, '') = '' OR entries.domain = :domain)
ORDER BY entries_fts.rank, entries.pk
LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 100) ELSE 10 END;
