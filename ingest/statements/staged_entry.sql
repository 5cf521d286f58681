SELECT updated, source, place, digest, rows FROM staged WHERE id = ?
