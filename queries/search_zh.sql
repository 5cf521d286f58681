-- title: Search in Chinese
-- title_zh: 中文搜索（不用分词）
--
-- Type a question as it is, without blanks, traditional or full-width characters and words of Taiwan and Hong Kong
-- (記憶體) included: the words are those that the index has. The best match first, its words marked 【】 in the original
-- text.
-- Only words that the file has, and no glossary: for an entry in English alone use culdesac search or the website.
-- 直接输入问题，不用空格分词；繁体、全角、台湾和香港的用词（記憶體、資料庫）都可以。命中的词在原文中用【】标出。
-- 只查文件里有的词，不用词汇表；只有英文的条目请用 culdesac search 或网站。
--
--   .param set :q "'显存不足怎么办'"
--   .param set :limit 20                  at most 50 (optional, 10)
WITH RECURSIVE
given (text) AS (SELECT lower(substr(CAST(coalesce(:q, '') AS TEXT), 1, 400))),
place (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM place WHERE i < 400),
size (n) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8)),
-- Words of Taiwan and Hong Kong: the longest at each place, and only in a text with a traditional character.
told (i, n, mainland) AS MATERIALIZED (
    SELECT i, max(n), mainland
    FROM (
        SELECT
            i,
            n,
            (SELECT words_tw.mainland FROM words_tw WHERE words_tw.word = substr(given.text, i, n)) AS mainland
        FROM given, place, size
        WHERE i + n - 1 <= length(given.text)
            AND unicode(substr(given.text, i, 1)) BETWEEN 0x3400 AND 0x9FFF
            AND EXISTS (
                SELECT 1
                FROM place AS other
                WHERE other.i <= length(given.text)
                    AND unicode(substr(given.text, other.i, 1)) BETWEEN 0x3400 AND 0xFAFF
                    AND EXISTS (SELECT 1 FROM folds WHERE source = substr(given.text, other.i, 1))
            )
    )
    WHERE mainland IS NOT NULL
    GROUP BY i
),
-- The text as the index writes it, a word of Taiwan or a character at a time.
written (i, text) AS (
    SELECT 0, ''
    UNION ALL
    SELECT
        i + coalesce((SELECT told.n FROM told WHERE told.i = written.i + 1), 1),
        written.text || CASE
            WHEN EXISTS (SELECT 1 FROM told WHERE told.i = written.i + 1)
                THEN (SELECT told.mainland FROM told WHERE told.i = written.i + 1)
            -- Combining marks: the index has none.
            WHEN unicode(substr(given.text, i + 1, 1)) BETWEEN 0x300 AND 0x36F THEN ''
            ELSE lower(coalesce(
                (SELECT target FROM folds WHERE source = substr(given.text, i + 1, 1)), substr(given.text, i + 1, 1)
            ))
        END
    FROM written, given
    WHERE i < length(given.text)
),
folded (text) AS MATERIALIZED (SELECT text FROM written ORDER BY i DESC LIMIT 1),
-- The letters of words; `run` is the same for those in a row.
letter (i, chinese, run, alone) AS MATERIALIZED (
    SELECT i, chinese, run, count(*) OVER (PARTITION BY chinese, run) = 1
    FROM (
        SELECT i, chinese, i - row_number() OVER (PARTITION BY chinese ORDER BY i) AS run
        FROM (
            SELECT
                i,
                unicode(substr(text, i, 1)) BETWEEN 0x3400 AND 0x9FFF OR substr(text, i, 1) = '〇' AS chinese,
                substr(text, i, 1) AS letter
            FROM place, folded
            WHERE i <= length(text)
        )
        WHERE chinese
            OR letter GLOB '[0-9a-z]'
            OR (unicode(letter) BETWEEN 192 AND 0x1FFF AND letter NOT IN ('×', '÷'))
            OR unicode(letter) BETWEEN 0x3041 AND 0x30FF
            OR unicode(letter) BETWEEN 0xAC00 AND 0xD7A3
    )
),
-- Every piece of the Chinese that is a word of the index, or one that says nothing of an error: those of stopwords.txt
-- and of the glossary.
-- A subquery, since a join may read all of `terms` for a filter.
piece (i, n, term, entries, alone, said) AS MATERIALIZED (
    SELECT i, n, term, entries, alone, said
    FROM (
        SELECT
            i,
            n,
            term,
            alone,
            (SELECT terms.entries FROM terms WHERE terms.term = cut.term) AS entries,
            term IN (
                '一', '一下', '一个', '一些', '一会儿', '一台', '一条', '一样', '一次', '一点', '一直', '一直在', '一起', '一边', '上',
                '上面', '下', '下个月', '下去', '下周', '下面', '不会', '不少', '不用', '不知', '不知道', '不管', '不要', '不过', '与',
                '东西', '严重吗', '个', '中', '为', '为什么', '为何', '为啥', '之', '之前', '之后', '之类', '也', '了', '于', '些',
                '什么', '什么都', '今天', '从', '他', '他们', '代码', '以', '以前', '以及', '以后', '们', '会', '会不会', '会怎么样',
                '会怎样', '似乎', '但', '但是', '你', '你们', '使用', '做', '偶尔', '先', '全部', '关于', '其', '其中', '其实', '再',
                '写法', '准备', '准备去', '几点', '出', '出来', '出现', '刚', '刚刚', '刚到', '刚才', '刚搬到', '刚来', '别人', '到',
                '到底', '办', '办法', '却', '原因', '原本', '原来', '去', '去玩', '又', '发现', '发现问题', '发生', '只', '只是', '只有',
                '只能', '只要', '叫', '可不可以', '可以吗', '可否', '可是', '可能', '台', '各个', '同事', '后', '后来', '后果', '向', '吗',
                '吧', '听说', '呢', '咋', '咋办', '咋回事', '和', '哪个', '哪些', '哪里', '啊', '回来', '因为', '国外', '在', '在哪办',
                '地', '地方', '外面', '多久', '多少钱', '多长时间', '大佬', '大家', '大概', '好', '好像', '好几', '好吗', '好多', '好的',
                '如何', '如何处理', '如何解决', '如果', '它', '完全', '客户', '家人', '对', '对应', '将', '就', '就会', '就是', '就行',
                '居然', '左右', '已', '已经', '帮忙', '帮我', '并', '应该', '应该给', '弄不明白', '当地', '很', '很多', '得', '怎么',
                '怎么修', '怎么办', '怎么办理', '怎么回事', '怎么处理', '怎么弄', '怎么打', '怎么排查', '怎么搞', '怎么改', '怎么给', '怎么解决',
                '怎么都', '怎样', '总是', '情况', '想', '想用', '想要', '感觉', '成', '我', '我们', '我的', '我这边', '或', '或者', '所以',
                '所有', '才', '才行', '打算', '把', '把我', '折腾', '报红', '按', '排查', '提示', '搞不懂', '搞定', '整个', '方案', '无论',
                '时', '时不时', '时候', '明天', '明明', '明显', '昨天', '是', '是不是', '是好的', '是真的吗', '最后', '有', '有人说', '有什么',
                '有什么后果', '有啥', '有时', '有时候', '有没有', '有点', '朋友', '朋友说', '本来', '本身', '条', '来', '来着', '某个', '某些',
                '次', '正常的', '每个', '每次', '比较', '求助', '求救', '求教', '没事', '没问题', '注意事项', '注意什么', '海外', '点', '然后',
                '爸妈', '特别', '现在', '现象', '用', '由', '的', '的时候', '的话', '的问题', '直接', '相应', '看', '看上去', '看看',
                '看着', '看起来', '真的吗', '着', '确认', '种', '程序', '突然', '突然间', '竟然', '第一次去', '等等', '系统', '经常', '结果',
                '给', '给多少', '给我', '网上说', '老是', '老板', '老的', '而', '而且', '能', '能不能', '能否', '自己', '莫名', '莫名其妙',
                '虽然', '行不行', '表明', '表示', '被', '要', '要不要', '要不要给', '要多少钱', '要是', '要注意什么', '要给多少', '觉得', '解决',
                '解决办法', '解决方案', '解决方法', '让', '让我', '试了', '试试', '试过', '该', '说', '说是', '请教', '请问', '谢谢', '起',
                '起来', '跟', '软件', '过', '过一会', '过去', '过来', '还', '还在', '还是', '还能', '这', '这个', '这些', '这时', '这样',
                '这种', '这边', '这里', '进', '进去', '那', '那个', '那些', '那样', '那边', '那里', '都', '都不', '都是', '都没', '里',
                '里边', '里面', '问题', '需要', '非常', '靠谱吗', '首先'
            ) AS said
        FROM (
            SELECT letter.i AS i, size.n AS n, letter.alone AS alone, substr(folded.text, letter.i, size.n) AS term
            FROM letter, size, folded
            WHERE letter.chinese AND size.n <= 6 AND letter.i + size.n - 1 <= length(folded.text)
        ) AS cut
    )
    WHERE entries IS NOT NULL OR said
),
latin (term) AS MATERIALIZED (
    SELECT DISTINCT substr(text, min(i), min(count(*), 64)) FROM letter, folded WHERE NOT chinese GROUP BY run
),
known_latin (term, entries) AS MATERIALIZED (
    SELECT term, entries
    FROM (SELECT term, (SELECT terms.entries FROM terms WHERE terms.term = latin.term) AS entries FROM latin)
    WHERE entries IS NOT NULL
),
-- What stood there in words of Taiwan, where the index has that, too.
taiwan (term, entries) AS (
    SELECT term, (SELECT terms.entries FROM terms WHERE terms.term = typed.term)
    FROM (
        SELECT (
            SELECT group_concat(coalesce((SELECT target FROM folds WHERE source = letter), letter), '')
            FROM (
                SELECT substr(given.text, told.i + place.i - 1, 1) AS letter FROM place WHERE place.i <= told.n ORDER BY i
            )
        ) AS term
        FROM told, given
    ) AS typed
),
-- Whether a piece begins inside a longer one, and whether there is any longer one that says something.
lying (i, n, term, entries, alone, said, inside, longer) AS MATERIALIZED (
    SELECT
        i, n, term, entries, alone, said,
        max(CASE WHEN n > 1 THEN i + n - 1 ELSE 0 END) OVER (ORDER BY i) >= i,
        max(n > 1 AND NOT said) OVER ()
    FROM piece
),
-- Characters that no longer word covers.
single (i, term, entries, alone, longer) AS MATERIALIZED (
    SELECT i, term, entries, alone, longer FROM lying WHERE n = 1 AND NOT said AND NOT inside
),
word (term, entries) AS (
    SELECT term, entries FROM lying WHERE n > 1 AND NOT said
    UNION
    SELECT term, entries FROM known_latin
    UNION
    SELECT term, entries FROM taiwan WHERE entries IS NOT NULL
    UNION
    -- A single character only where somebody wrote it by itself, or the index has nothing longer of the whole text.
    SELECT term, entries FROM single WHERE alone OR NOT (longer OR EXISTS (SELECT 1 FROM known_latin))
    UNION
    -- Two in a row are a word that the dictionary of the index didn't have: it holds them in a row.
    SELECT term, entries
    FROM (
        SELECT
            term || ' ' || lead(term) OVER (ORDER BY i) AS term,
            min(entries, lead(entries) OVER (ORDER BY i)) AS entries,
            lead(i) OVER (ORDER BY i) = i + 1 AS neighbours
        FROM single
    )
    WHERE neighbours
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
-- `terms` as a JSON array goes with the hits: each mention of a table above has SQLite read its text anew.
expression (text, terms) AS MATERIALIZED (
    SELECT coalesce(group_concat('"' || term || '"', ' OR '), '""'), json_group_array(replace(term, ' ', '')) FROM chosen
),
hit (pk, rank, terms) AS MATERIALIZED (
    SELECT entries_fts.rowid, entries_fts.rank, expression.terms
    FROM expression
    CROSS JOIN entries_fts
    WHERE entries_fts MATCH expression.text
    ORDER BY entries_fts.rank, entries_fts.rowid
    LIMIT CASE WHEN CAST(coalesce(:limit, '') AS INTEGER) > 0 THEN min(CAST(:limit AS INTEGER), 50) ELSE 10 END
),
-- Marking: each character of the original beside what the index writes for it, so that places agree.
same (pk, rank, terms, original, i, text) AS (
    SELECT hit.pk, hit.rank, hit.terms, substr(coalesce(entries.signature_zh, entries.signature), 1, 300), 0, ''
    FROM hit
    JOIN entries ON entries.pk = hit.pk
    UNION ALL
    SELECT
        pk, rank, terms, original, i + 1,
        text || substr(lower(coalesce(
            (SELECT target FROM folds WHERE source = substr(original, i + 1, 1)), substr(original, i + 1, 1)
        )), 1, 1)
    FROM same
    WHERE i < length(original)
),
image (pk, rank, terms, original, text) AS MATERIALIZED (
    SELECT pk, rank, terms, original, text FROM same WHERE i = length(original)
),
range (pk, first, last) AS MATERIALIZED (
    SELECT image.pk, place.i, place.i + length(chosen.value) - 1
    FROM image
    JOIN place ON place.i <= length(image.text)
    JOIN json_each(image.terms) AS chosen ON substr(image.text, place.i, length(chosen.value)) = chosen.value
    -- A Latin word counts only as a whole.
    WHERE unicode(chosen.value) >= 0x3400
        OR NOT (
            substr(' ' || image.text, place.i, 1) GLOB '[0-9a-z]'
            OR substr(image.text || ' ', place.i + length(chosen.value), 1) GLOB '[0-9a-z]'
        )
),
spelled (pk, rank, i, last, letter, inside) AS (
    SELECT
        image.pk,
        image.rank,
        place.i,
        max(1, length(image.original)),
        substr(image.original, place.i, 1),
        EXISTS (SELECT 1 FROM range WHERE range.pk = image.pk AND place.i BETWEEN range.first AND range.last)
    FROM image
    JOIN place ON place.i <= max(1, length(image.original))
),
marked (pk, rank, i, last, inside, text) AS (
    SELECT
        pk, rank, i, last, inside,
        group_concat(
            CASE WHEN inside > before THEN '【' WHEN inside < before THEN '】' ELSE '' END || letter, ''
        ) OVER (PARTITION BY pk ORDER BY i)
    FROM (SELECT *, lag(inside, 1, 0) OVER (PARTITION BY pk ORDER BY i) AS before FROM spelled)
)
SELECT
    entries.id,
    marked.text || CASE WHEN marked.inside THEN '】' ELSE '' END AS signature,
    (
        SELECT coalesce(text_zh, action) FROM workarounds WHERE entry = marked.pk ORDER BY position LIMIT 1
    ) AS workaround,
    entries.domain,
    round(-marked.rank, 2) AS score
FROM marked
JOIN entries ON entries.pk = marked.pk
WHERE marked.i = marked.last
ORDER BY marked.rank, marked.pk;
