CREATE VIRTUAL TABLE temp.check_signatures USING fts5 (signature, content = '', tokenize = 'trigram')
