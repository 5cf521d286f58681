SELECT pk, last_confirmed FROM entries WHERE last_confirmed >= :first AND last_confirmed < :limit ORDER BY pk
