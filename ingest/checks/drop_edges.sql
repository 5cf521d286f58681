DROP TABLE IF EXISTS temp.check_edges
