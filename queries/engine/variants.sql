SELECT entries.error_id, entries.id, entries.pk
FROM json_each(:error_ids) AS given
CROSS JOIN entries ON entries.error_id = given.value
ORDER BY entries.pk
