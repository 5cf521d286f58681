"""One entry as rows: what a document becomes between its dialect and the tables.

A row is a list in the order of `COLUMNS`; numbers that tables derive (pk, entry, position, to_entry) are not in it,
since they are only known once every entry of a file has its place. Structs here encode to MessagePack as arrays, so
equal entries are equal bytes.
"""

from __future__ import annotations

from typing import Any

import msgspec

Row = list[Any]

#: The columns an author fills, per table. `sources` of a step become rows of step_sources.
COLUMNS: dict[str, tuple[str, ...]] = {
    "entries": (
        "id", "signature", "signature_zh", "regex", "domain", "category", "subcategory", "error_code",
        "root_cause", "root_cause_zh", "root_cause_type", "resolvable", "fix_success_rate", "confidence",
        "evidence_count", "verification_tier", "review_status", "generated_by", "os", "country", "official_doc_url",
        "official_doc_section", "first_seen", "last_confirmed", "last_updated", "locale", "url", "schema_version",
        "generation_date", "last_verification", "page_views", "ai_agent_hits", "human_hits", "dialect", "extra",
        "shape",
    ),
    "versions": (
        "kind", "version", "package", "specifier", "introduced", "deprecated", "removed", "behavior_change", "status",
    ),
    "workarounds": ("action", "how", "success_rate", "condition", "tradeoff", "text_zh", "sources"),
    "dead_ends": ("action", "why_fails", "fail_rate", "condition", "common_misconception", "sources"),
    "transitions": ("kind", "to_id", "probability", "condition", "distinction", "typical_delay"),
    "environments": ("scope", "key", "value", "type"),
    "tags": ("value",),
    "aliases": ("value",),
    "os_notes": ("os", "note"),
}  # fmt: skip

#: Where a column stands in its row.
INDEX: dict[str, dict[str, int]] = {table: {c: i for i, c in enumerate(columns)} for table, columns in COLUMNS.items()}


class EntryRows(msgspec.Struct, array_like=True):
    """The rows of one entry, child tables in the order their positions will have."""

    entries: Row
    versions: list[Row] = []
    workarounds: list[Row] = []
    dead_ends: list[Row] = []
    transitions: list[Row] = []
    environments: list[Row] = []
    tags: list[Row] = []
    aliases: list[Row] = []
    os_notes: list[Row] = []

    @classmethod
    def blank(cls) -> EntryRows:
        """An entry whose every column is NULL."""
        return cls([None] * len(COLUMNS["entries"]))

    def column(self, name: str) -> Any:
        """The value of a column of `entries`."""
        return self.entries[INDEX["entries"][name]]

    def set(self, name: str, value: Any) -> None:
        """Give a column of `entries` a value."""
        self.entries[INDEX["entries"][name]] = value

    def add(self, table: str, **values: Any) -> Row:
        """Append a row to a child table and return it; columns that are not named are NULL."""
        row: Row = [values.get(column) for column in COLUMNS[table]] if values else [None] * len(COLUMNS[table])
        getattr(self, table).append(row)
        return row


class IdParts(msgspec.Struct, frozen=True):
    """An entry id taken apart: `domain/slug` or `domain/slug/environment`."""

    error_id: str
    domain: str
    slug: str | None
    environment: str | None


def split_id(entry_id: str) -> IdParts:
    """Take an id apart. One that has fewer parts than it should keeps what it has: its error_id is all of it."""
    domain, _, rest = entry_id.partition("/")
    slug, _, environment = rest.partition("/")
    error_id = f"{domain}/{slug}" if slug else entry_id
    return IdParts(error_id, domain, slug or None, environment or None)
