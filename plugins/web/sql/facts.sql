-- What a result's line and the facets show and an Answer doesn't say.
SELECT
    entries.id, entries.category, entries.verification_tier, entries.error_code, entries.os, entries.country,
    entries.signature_zh IS NOT NULL AND entries.signature_zh <> '',
    (SELECT json_group_array(DISTINCT package) FROM versions WHERE entry = entries.pk AND package <> '')
FROM json_each(:ids) AS given
CROSS JOIN entries ON entries.id = given.value
