SELECT
    entry, os, note
FROM os_notes
WHERE entry BETWEEN :first AND :last
ORDER BY entry, os
