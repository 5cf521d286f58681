CREATE TEMP TABLE found (entry INTEGER, code TEXT, severity TEXT, field TEXT, message TEXT)
