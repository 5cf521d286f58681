INSERT INTO step_sources (workaround, dead_end, position, url) VALUES (?, ?, ?, ?)
