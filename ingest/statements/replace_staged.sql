UPDATE staged
SET updated = :updated, evidence = :evidence, confidence = :confidence, source = :source, place = :place,
    touched = max(touched, :touched), digest = :digest, rows = :rows
WHERE id = :id
