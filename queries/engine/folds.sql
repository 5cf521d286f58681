SELECT source, target FROM folds
