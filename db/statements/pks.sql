SELECT pk FROM entries WHERE pk BETWEEN :first AND :last ORDER BY pk
