INSERT INTO staged (id, updated, evidence, confidence, source, place, touched, digest, rows)
VALUES (:id, :updated, :evidence, :confidence, :source, :place, :touched, :digest, :rows)
ON CONFLICT (id) DO NOTHING
