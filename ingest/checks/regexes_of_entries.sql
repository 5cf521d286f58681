SELECT pk, error_id, regex FROM entries WHERE regex <> '' ORDER BY pk
