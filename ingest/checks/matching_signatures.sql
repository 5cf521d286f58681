-- Any signature that holds one of the texts, best entries first.
SELECT entries.error_id, substr(entries.signature, 1, :longest)
FROM temp.check_signatures CROSS JOIN entries ON entries.pk = check_signatures.rowid
WHERE check_signatures MATCH :texts
ORDER BY check_signatures.rowid
LIMIT :most
