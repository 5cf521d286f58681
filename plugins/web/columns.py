"""What every table and column that a reader sees is: the one place where it stands.

Datasette shows it above its tables, the documentation is generated from it, and a test compares it with db/schema.sql.
Units are part of a description: rates are shares from 0 to 1, dates are ISO 8601 text.
"""

from __future__ import annotations

from dataclasses import dataclass

_ENTRY = "The entry it belongs to (entries.pk)."
_POSITION = "Its place in the document's list, from 1."
_CLAIM = "a share from 0 to 1, its author's claim"


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view: its title, what it holds, and its columns in the order of the schema."""

    title: str
    description: str
    columns: dict[str, str]


TABLES: dict[str, Table] = {
    "entries": Table(
        "Entries",
        "A known error, in one environment if its source tells environments apart; the best documented first.",
        {
            "pk": "Number of the entry, in descending quality: 1 is the best documented.",
            "id": "Unique name: domain/slug, or domain/slug/environment.",
            "error_id": "domain/slug, shared by the variants of one error.",
            "domain": "Technology or field, as in the id.",
            "slug": "Short name of the error within its domain.",
            "environment": "Where this variant occurs, the id's third part; empty when there is none.",
            "signature": "The message by which the error is recognised.",
            "signature_zh": "The message in Chinese.",
            "regex": "Pattern that matches the message in a log, as its author wrote it.",
            "category": "Kind of error, in its author's words.",
            "subcategory": "Finer kind.",
            "error_code": "Code that the program gives, as text.",
            "root_cause": "Why it happens.",
            "root_cause_zh": "Why it happens, in Chinese.",
            "root_cause_type": "Kind of cause.",
            "resolvable": "Whether it can be resolved: true, partial or false.",
            "fix_success_rate": f"How often a fix succeeds: {_CLAIM}.",
            "confidence": f"How sure the entry is of itself: {_CLAIM}.",
            "evidence_count": "Number of reports the entry rests on, by its author's count.",
            "verification_tier": "How it was verified, in the vocabulary of the flat dialect.",
            "review_status": "How it was reviewed, in the vocabulary of the nested dialect.",
            "generated_by": "Who or what wrote the entry.",
            "os": 'Operating system in a word; "any" means all.',
            "country": "Country that the entry is about (ISO 3166 code), where one matters.",
            "official_doc_url": "The vendor's page about it.",
            "official_doc_section": "The section of that page.",
            "first_seen": "Date of the first report.",
            "last_confirmed": "Date when it was last seen to hold.",
            "last_updated": "Date of the entry's last change.",
            "locale": "Language of the entry's main text.",
            "url": "Address of the entry's own page.",
            "schema_version": "Version of the format the document was written in.",
            "generation_date": "Date when the document was generated.",
            "last_verification": "Date of the last verification.",
            "page_views": "Number of page views that the document reports.",
            "ai_agent_hits": "Number of requests by programs that the document reports.",
            "human_hits": "Number of requests by people that the document reports.",
            "dialect": "Form of the document it came from: flat or nested.",
            "source": "The source it came from; see about.",
            "extra": "Fields that no column knows, as JSON by JSON Pointer.",
            "shape": "What tables can't say (null or absent, an empty list or none), as JSON by JSON Pointer.",
        },
    ),
    "versions": Table(
        "Versions",
        "The packages and version ranges an entry is about.",
        {
            "entry": _ENTRY,
            "position": _POSITION,
            "kind": "Where the document names it: listed, runtime, python or framework.",
            "version": "Package and range as given.",
            "package": "The package's name.",
            "specifier": "The range of versions.",
            "introduced": "First version with the error.",
            "deprecated": "Version in which it was deprecated.",
            "removed": "Version without it.",
            "behavior_change": "What changed between versions.",
            "status": "State of that version.",
        },
    ),
    "workarounds": Table(
        "Workarounds",
        "What to do: each step that helps, with how often it does.",
        {
            "pk": "Number of the workaround.",
            "entry": _ENTRY,
            "position": _POSITION,
            "action": "What to do.",
            "how": "How to do it: commands or code.",
            "success_rate": f"How often it works: {_CLAIM}.",
            "condition": "When it applies.",
            "tradeoff": "What it costs.",
            "text_zh": "The workaround in Chinese.",
        },
    ),
    "dead_ends": Table(
        "Dead ends",
        "What not to try: each step that people try and that doesn't help.",
        {
            "pk": "Number of the dead end.",
            "entry": _ENTRY,
            "position": _POSITION,
            "action": "What people try; some name only the reason.",
            "why_fails": "Why it doesn't help.",
            "fail_rate": f"How often it fails: {_CLAIM}.",
            "condition": "When that holds.",
            "common_misconception": "The belief behind it.",
        },
    ),
    "step_sources": Table(
        "Sources of steps",
        "Where a workaround or a dead end is documented.",
        {
            "pk": "Number of the row.",
            "workaround": "The workaround it belongs to; empty for a dead end.",
            "dead_end": "The dead end it belongs to; empty for a workaround.",
            "position": _POSITION,
            "url": "Address.",
        },
    ),
    "transitions": Table(
        "Transitions",
        "Errors that lead to each other or are confused with each other.",
        {
            "pk": "Number of the row.",
            "entry": _ENTRY,
            "kind": "leads_to, preceded_by or frequently_confused_with.",
            "position": _POSITION,
            "to_id": "The other error, as given.",
            "to_entry": "The other error's entry (entries.pk); empty when this file has none.",
            "probability": f"How often: {_CLAIM}.",
            "condition": "When it happens.",
            "distinction": "How to tell the two apart.",
            "typical_delay": "How long it takes, in words.",
        },
    ),
    "environments": Table(
        "Environments",
        "What else an entry says of the hardware and surroundings it occurs in.",
        {
            "entry": _ENTRY,
            "scope": "hardware or additional.",
            "key": "Name of the property.",
            "value": "Its value.",
            "type": "Whether the value is text or JSON.",
        },
    ),
    "tags": Table("Tags", "Words an entry is filed under.", {"entry": _ENTRY, "position": _POSITION, "value": "Tag."}),
    "aliases": Table(
        "Aliases",
        "Other names or messages of an error.",
        {"entry": _ENTRY, "position": _POSITION, "value": "Other name."},
    ),
    "os_notes": Table(
        "Notes on operating systems",
        "What is different on one operating system.",
        {"entry": _ENTRY, "os": "Operating system.", "note": "What is different there."},
    ),
    "problems": Table(
        "Problems of the data",
        "What the checks found in the entries when they were loaded.",
        {
            "pk": "Number of the problem.",
            "entry": _ENTRY,
            "code": "Kind of problem.",
            "severity": "error, warning or info.",
            "field": "Where in the document.",
            "message": "What is wrong.",
        },
    ),
    "queries": Table(
        "Queries",
        "SQL to run as it is in the sqlite3 shell or here; each says how.",
        {"name": "Name.", "title": "What it answers.", "sql": "The query, with its explanation as comments."},
    ),
    "about": Table(
        "About this file",
        "What the file is: versions, how its text was segmented, its sources with their digests and licences, counts.",
        {"key": "What.", "value": "Its value."},
    ),
    "search": Table(
        "Search",
        "Ranked full-text search over the entries: the best match first. Any language, any text.",
        {
            "pk": "Number of the entry, in descending quality.",
            "id": "Unique name of the entry.",
            "signature": "The message by which the error is recognised.",
            "signature_zh": "The message in Chinese.",
            "domain": "Technology or field.",
            "category": "Kind of error.",
            "resolvable": "Whether it can be resolved: true, partial or false.",
            "fix_success_rate": f"How often a fix succeeds: {_CLAIM}.",
            "verification_tier": "How it was verified.",
            "root_cause_type": "Kind of cause.",
            "os": "Operating system in a word.",
            "country": "Country that the entry is about (ISO 3166 code).",
            "root_cause": "Why it happens.",
            "rank": "bm25 score of the match: the lower, the better; empty without a search.",
            "match": "For SQL: `where match match '…'` searches. It shows nothing of use.",
        },
    ),
}

#: Tables that serve the search alone. FTS5's own shadow tables and the *_fts_tokens are hidden by Datasette with them.
HIDDEN = (
    "terms",
    "folds",
    "words_tw",
    "signature_keys",
    "signature_words",
    "word_vectors",
    "entry_vectors",
    "entries_fts_tokens",
    "workarounds_fts_tokens",
    "dead_ends_fts_tokens",
)
