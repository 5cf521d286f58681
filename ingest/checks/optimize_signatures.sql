-- One segment: every look-up of a sequence would search each of several.
INSERT INTO temp.check_signatures (check_signatures) VALUES ('optimize')
