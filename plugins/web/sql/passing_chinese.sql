-- Entries that have Chinese; no other answer is asked for.
(:chinese = 'yes' AND pk IN (SELECT pk FROM entries WHERE (signature_zh <> '') = 1))
