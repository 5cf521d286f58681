-- Entries that have just this value in a column; `column_` becomes its name.
pk IN (SELECT pk FROM entries WHERE column_ = :column_)
