CREATE INDEX staged_by_quality ON staged (evidence DESC, confidence DESC, id)
