-- title: Search in Chinese
-- title_zh: 中文搜索（不用分词）
--
-- Type a question as it is, without blanks, traditional or full-width characters included: the words are those that
-- the index has. The best match first, its words marked 【】 in the original text.
-- 直接输入问题，不用空格分词；繁体、全角都可以。命中的词在原文中用【】标出。
--
--   .param set :q "'显存不足怎么办'"
--   .param set :limit 20                  at most 50 (optional, 10)
WITH RECURSIVE
given (text) AS (SELECT lower(substr(CAST(coalesce(:q, '') AS TEXT), 1, 400))),
place (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM place WHERE i < 400),
size (n) AS (VALUES (1), (2), (3), (4), (5), (6)),
-- The text as the index writes it, a character at a time.
written (i, text) AS (
    SELECT 0, ''
    UNION ALL
    SELECT
        i + 1,
        written.text || lower(coalesce(
            (SELECT target FROM folds WHERE source = substr(given.text, i + 1, 1)), substr(given.text, i + 1, 1)
        ))
    FROM written, given
    WHERE i < length(given.text)
),
folded (text) AS MATERIALIZED (SELECT text FROM written ORDER BY i DESC LIMIT 1),
letter (i, chinese, run) AS MATERIALIZED (
    SELECT i, chinese, i - row_number() OVER (PARTITION BY chinese ORDER BY i)
    FROM (
        SELECT i, unicode(substr(text, i, 1)) BETWEEN 0x3400 AND 0x9FFF AS chinese, substr(text, i, 1) AS letter
        FROM place, folded
        WHERE i <= length(text)
    )
    WHERE chinese OR letter GLOB '[0-9a-z]' OR unicode(letter) BETWEEN 192 AND 0x1FFF
),
-- Every piece of the Chinese that is a word of the index. A subquery, since a join may read all of `terms` for a filter.
piece (i, n, term, entries) AS MATERIALIZED (
    SELECT i, n, term, entries
    FROM (
        SELECT i, n, term, (SELECT terms.entries FROM terms WHERE terms.term = cut.term) AS entries
        FROM (
            SELECT letter.i AS i, size.n AS n, substr(folded.text, letter.i, size.n) AS term
            FROM letter, size, folded
            WHERE letter.chinese AND letter.i + size.n - 1 <= length(folded.text)
        ) AS cut
    )
    WHERE entries IS NOT NULL
        AND term NOT IN (
            '怎么', '怎么办', '怎样', '如何', '什么', '为什么', '请问', '求助', '一直', '解决', '办',
            '的', '了', '吗', '呢', '吧', '啊', '是'
        )
),
latin (term) AS MATERIALIZED (
    SELECT DISTINCT substr(text, min(i), min(count(*), 64)) FROM letter, folded WHERE NOT chinese GROUP BY run
),
word (term, entries) AS (
    SELECT term, entries FROM piece WHERE n > 1
    UNION
    -- A single character only where no longer word has it.
    SELECT term, entries
    FROM piece
    WHERE n = 1
        AND NOT EXISTS (
            SELECT 1 FROM piece AS longer WHERE longer.n > 1 AND piece.i BETWEEN longer.i AND longer.i + longer.n - 1
        )
    UNION
    SELECT term, entries
    FROM (SELECT term, (SELECT terms.entries FROM terms WHERE terms.term = latin.term) AS entries FROM latin)
    WHERE entries IS NOT NULL
),
chosen (term) AS MATERIALIZED (
    SELECT term
    FROM (
        SELECT
            term,
            row_number() OVER (ORDER BY entries, term) AS n,
            sum(entries) OVER (ORDER BY entries, term) AS spent
        FROM word
    )
    WHERE n <= 4 OR (n <= 40 AND spent <= 3000)
),
expression (text) AS MATERIALIZED (SELECT coalesce(group_concat('"' || term || '"', ' OR '), '""') FROM chosen),
hit (pk, rank) AS MATERIALIZED (
    SELECT rowid, rank
    FROM entries_fts
    WHERE entries_fts MATCH (SELECT text FROM expression)
    ORDER BY rank, rowid
    LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 50) ELSE 10 END
),
-- Marking: each character of the original beside what the index writes for it, so that places agree.
original (pk, text) AS MATERIALIZED (
    SELECT hit.pk, substr(coalesce(entries.signature_zh, entries.signature), 1, 300)
    FROM hit
    JOIN entries ON entries.pk = hit.pk
),
same (pk, i, text) AS (
    SELECT pk, 0, '' FROM original
    UNION ALL
    SELECT
        same.pk,
        i + 1,
        same.text || substr(lower(coalesce(
            (SELECT target FROM folds WHERE source = substr(original.text, i + 1, 1)), substr(original.text, i + 1, 1)
        )), 1, 1)
    FROM same
    JOIN original ON original.pk = same.pk
    WHERE i < length(original.text)
),
image (pk, text) AS MATERIALIZED (
    SELECT same.pk, same.text FROM same JOIN original ON original.pk = same.pk AND same.i = length(original.text)
),
range (pk, first, last) AS MATERIALIZED (
    SELECT image.pk, place.i, place.i + length(chosen.term) - 1
    FROM image
    JOIN place ON place.i <= length(image.text)
    JOIN chosen ON substr(image.text, place.i, length(chosen.term)) = chosen.term
    -- A Latin word counts only as a whole.
    WHERE unicode(chosen.term) >= 0x3400
        OR NOT (
            substr(' ' || image.text, place.i, 1) GLOB '[0-9a-z]'
            OR substr(image.text || ' ', place.i + length(chosen.term), 1) GLOB '[0-9a-z]'
        )
),
spelled (pk, i, letter, inside) AS MATERIALIZED (
    SELECT
        original.pk,
        place.i,
        substr(original.text, place.i, 1),
        EXISTS (SELECT 1 FROM range WHERE range.pk = original.pk AND place.i BETWEEN range.first AND range.last)
    FROM original
    JOIN place ON place.i <= length(original.text)
),
marked (pk, i, text, inside) AS (
    SELECT pk, 0, '', 0 FROM original
    UNION ALL
    SELECT
        spelled.pk,
        spelled.i,
        marked.text
        || CASE
            WHEN spelled.inside > marked.inside THEN '【'
            WHEN spelled.inside < marked.inside THEN '】'
            ELSE ''
        END
        || spelled.letter,
        spelled.inside
    FROM marked
    JOIN spelled ON spelled.pk = marked.pk AND spelled.i = marked.i + 1
)
SELECT
    entries.id,
    marked.text || CASE WHEN marked.inside THEN '】' ELSE '' END AS signature,
    (
        SELECT coalesce(text_zh, action) FROM workarounds WHERE entry = hit.pk ORDER BY position LIMIT 1
    ) AS workaround,
    entries.domain,
    round(-hit.rank, 2) AS score
FROM hit
JOIN entries ON entries.pk = hit.pk
JOIN original ON original.pk = hit.pk
JOIN marked ON marked.pk = hit.pk AND marked.i = length(original.text)
ORDER BY hit.rank, hit.pk;
