SELECT
    pk, source, id, signature, signature_zh, regex, domain, category, subcategory, error_code, root_cause,
    root_cause_zh, root_cause_type, resolvable, fix_success_rate, confidence, evidence_count, verification_tier,
    review_status, generated_by, os, country, official_doc_url, official_doc_section, first_seen, last_confirmed,
    last_updated, locale, url, schema_version, generation_date, last_verification, page_views, ai_agent_hits,
    human_hits, dialect, extra, shape
FROM entries
WHERE pk BETWEEN :first AND :last
ORDER BY pk
