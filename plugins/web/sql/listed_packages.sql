-- As listed_facet.sql, of packages: an entry can name several.
SELECT versions.package AS value, count(DISTINCT entries.error_id) AS errors
FROM (SELECT pk, error_id FROM entries WHERE /* passing */ ORDER BY pk LIMIT :most) AS entries
JOIN versions ON versions.entry = entries.pk
WHERE versions.package <> ''
GROUP BY value
ORDER BY errors DESC, value
