SELECT sibling.error_id, sibling.id
FROM entries
JOIN entries AS sibling ON sibling.error_id = entries.error_id
WHERE entries.pk = :pk
ORDER BY sibling.pk
