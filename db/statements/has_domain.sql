SELECT EXISTS (SELECT 1 FROM entries WHERE domain = :domain)
