SELECT updated, source, place, touched, digest, rows FROM staged WHERE id = ?
