SELECT id, signature AS label FROM entries WHERE pk = :pk
