-- The entries that were changed last, whatever their authors call it; what isn't a date has no place in a feed.
SELECT id, signature, signature_zh, root_cause, domain, category, coalesce(last_updated, last_confirmed, first_seen) AS date
FROM entries
WHERE coalesce(last_updated, last_confirmed, first_seen) GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*'
ORDER BY date DESC, pk
LIMIT :limit
