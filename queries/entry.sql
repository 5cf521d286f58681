-- title: All about one entry
-- title_zh: 一个条目的全部内容
--
-- What the tables say of :id, an entry's id or an error_id (then its best documented variant), a line each.
--
--   .param set :id "'pytorch/nccl-timeout-during-allreduce'"
WITH
asked (id) AS (SELECT substr(CAST(coalesce(:id, '') AS TEXT), 1, 500)),
chosen (pk) AS MATERIALIZED (
    SELECT pk
    FROM (
        SELECT pk, 0 AS n FROM entries WHERE id = (SELECT id FROM asked)
        UNION ALL
        SELECT pk, 1 FROM entries WHERE error_id = (SELECT id FROM asked)
    )
    ORDER BY n, pk
    LIMIT 1
),
line (part, position, text, detail, rate) AS (
    SELECT 'id', 1, id, domain, NULL FROM entries WHERE pk = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'signature', 1, signature, signature_zh, NULL FROM entries WHERE pk = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'root cause', 1, root_cause, root_cause_zh, NULL FROM entries WHERE pk = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'resolvable', 1, resolvable, category, fix_success_rate FROM entries WHERE pk = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'workaround', position, action, coalesce(how, text_zh), success_rate
    FROM workarounds
    WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'dead end', position, action, why_fails, fail_rate FROM dead_ends WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'version', position, version, coalesce(behavior_change, status), NULL
    FROM versions
    WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT replace(kind, '_', ' '), position, to_id, coalesce(distinction, condition), probability
    FROM transitions
    WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'on ' || os, 1, note, NULL, NULL FROM os_notes WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'environment', 1, key, value, NULL FROM environments WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'also known as', position, value, NULL, NULL FROM aliases WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'tag', position, value, NULL, NULL FROM tags WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'problem', 1, message, field, NULL FROM problems WHERE entry = (SELECT pk FROM chosen)
    UNION ALL
    SELECT 'variant', pk, id, environment, NULL
    FROM entries
    WHERE error_id = (SELECT error_id FROM entries WHERE pk = (SELECT pk FROM chosen)) AND pk <> (SELECT pk FROM chosen)
)
SELECT part, position, text, detail, rate FROM line WHERE coalesce(text, detail) IS NOT NULL LIMIT 1000;
