-- The best documented entries that pass, with what the facets count. The comment becomes a condition for each filter.
SELECT
    pk, error_id, domain, category, resolvable, verification_tier, os, country,
    CASE WHEN signature_zh <> '' THEN 'yes' END AS chinese
FROM entries
WHERE /* passing */
ORDER BY pk
LIMIT :most
