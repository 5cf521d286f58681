-- A stretch of all entries for a site map, with the date that their authors give.
SELECT id, coalesce(last_updated, last_confirmed, first_seen) AS date FROM entries ORDER BY pk LIMIT :limit OFFSET :offset
