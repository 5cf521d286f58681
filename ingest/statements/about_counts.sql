SELECT 'count/entries', CAST(count(*) AS TEXT) FROM entries
UNION ALL SELECT 'count/errors', CAST(count(DISTINCT error_id) AS TEXT) FROM entries
UNION ALL SELECT 'count/domains', CAST(count(DISTINCT domain) AS TEXT) FROM entries
UNION ALL SELECT 'count/chinese entries', CAST(count(*) AS TEXT) FROM entries WHERE signature_zh IS NOT NULL
UNION ALL SELECT 'count/workarounds', CAST(count(*) AS TEXT) FROM workarounds
UNION ALL SELECT 'count/dead ends', CAST(count(*) AS TEXT) FROM dead_ends
UNION ALL SELECT 'count/transitions', CAST(count(*) AS TEXT) FROM transitions
UNION ALL SELECT 'count/problems', CAST(count(*) AS TEXT) FROM problems
