INSERT INTO folds (source, target) VALUES (?, ?)
