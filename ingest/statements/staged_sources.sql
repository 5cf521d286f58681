SELECT DISTINCT source FROM staged ORDER BY source
