-- The best documented entries that pass, each with its error. The comment becomes a condition for each filter.
SELECT pk, error_id FROM entries WHERE /* passing */ ORDER BY pk LIMIT :most
