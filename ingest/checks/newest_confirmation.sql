-- The day that at least one in twenty of the dated entries reaches, and at least two where there are three or more:
-- one date in the far future must not make every other entry stale.
WITH dated AS (
    SELECT last_confirmed AS day
    FROM entries
    WHERE last_confirmed BETWEEN :first AND :last
        AND last_confirmed GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
        -- Without the modifier SQLite takes a 30 February as it is.
        AND date(last_confirmed, '+0 days') = last_confirmed
)
SELECT day
FROM dated
ORDER BY day DESC
LIMIT 1
OFFSET (SELECT CASE WHEN count(*) < 3 THEN 0 ELSE max(1, (count(*) + 19) / 20 - 1) END FROM dated)
