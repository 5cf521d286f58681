-- Number and tokens of :size among :entries entries, evenly spread; of all when there are no more.
SELECT
    pk,
    coalesce(signature, '') || ' ' || coalesce(keywords, '') || ' ' || coalesce(root_cause, '')
    || ' ' || coalesce(workarounds, '') || ' ' || coalesce(dead_ends, '') || ' ' || coalesce(signature_zh, '')
    || ' ' || coalesce(root_cause_zh, '') || ' ' || coalesce(workarounds_zh, '')
FROM entries_fts_tokens
WHERE pk * :size / :entries <> (pk - 1) * :size / :entries
ORDER BY pk
