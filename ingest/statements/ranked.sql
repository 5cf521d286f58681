SELECT source, rows FROM staged ORDER BY evidence DESC, confidence DESC, id
