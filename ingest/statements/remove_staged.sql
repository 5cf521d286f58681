DELETE FROM staged WHERE id = :id OR substr(id, 1, length(:prefix)) = :prefix
