INSERT INTO os_notes (
    entry, os, note
) VALUES (
    ?, ?, ?
)
