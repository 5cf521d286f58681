-- What a result's line and the facets show of an entry and an Answer doesn't say. :ids and :pks are JSON arrays.
SELECT
    pk, id, error_id, domain, category, resolvable, verification_tier, os, country,
    CASE WHEN signature_zh <> '' THEN 'yes' END AS chinese
FROM entries
WHERE pk IN (SELECT value FROM json_each(:pks)) OR id IN (SELECT value FROM json_each(:ids))
