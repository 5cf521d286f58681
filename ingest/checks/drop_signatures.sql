DROP TABLE IF EXISTS temp.check_signatures
