DROP TABLE temp.found
