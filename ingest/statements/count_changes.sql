SELECT
    (SELECT count(*) FROM staged) AS entries,
    (SELECT count(*) FROM staged LEFT JOIN before USING (id) WHERE before.id IS NULL) AS added,
    (SELECT count(*) FROM staged JOIN before USING (id) WHERE staged.digest <> before.digest) AS updated,
    (SELECT count(*) FROM staged JOIN before USING (id) WHERE staged.touched AND staged.digest = before.digest) AS unchanged,
    (SELECT count(*) FROM before LEFT JOIN staged USING (id) WHERE staged.id IS NULL) AS removed,
    (SELECT count(*) FROM staged JOIN before USING (id) WHERE staged.source <> before.source) AS moved
