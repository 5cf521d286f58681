-- The variants of an error with what tells them apart, and each one's workaround that is claimed to work best.
SELECT
    entries.id, entries.environment, entries.os, entries.country, entries.resolvable, entries.fix_success_rate,
    entries.evidence_count, entries.root_cause, entries.root_cause_zh,
    (
        SELECT coalesce(nullif(workarounds.action, ''), workarounds.how) FROM workarounds
        WHERE workarounds.entry = entries.pk
        ORDER BY workarounds.success_rate DESC, workarounds.position
        LIMIT 1
    ) AS workaround
FROM entries
WHERE entries.error_id = :error_id
ORDER BY entries.id <> :id, entries.pk
LIMIT 20
