-- Between errors, not entries: a variant's edge is answered by any variant of the other error.
INSERT OR IGNORE INTO temp.check_edges (kind, source, target)
SELECT transitions.kind, source.error_id, target.error_id
FROM transitions
CROSS JOIN entries AS source ON source.pk = transitions.entry
CROSS JOIN entries AS target ON target.pk = transitions.to_entry
