"""The two JSON dialects as data: which key of a document stands in which column.

Each dialect is a tree of parts. A part reads its value of a document into rows and writes it back from rows; the walk
itself is in `documents`. A column can't tell absent from null, nor no rows from an empty list: each part has a
default for that, and a document that differs has the difference in `entries.shape`, by JSON Pointer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from culdesac.db.rows import INDEX

#: What stands at a pointer for which the tables have no value.
Blank = Literal["absent", "null", "empty"]


@dataclass(frozen=True, slots=True)
class Text:
    """A string, or null, in a column."""

    key: str
    column: str
    blank: Blank = "absent"


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or null, in a column."""

    key: str
    column: str
    blank: Blank = "absent"
    real: bool = True


Scalar = Text | Number


@dataclass(frozen=True, slots=True)
class Strings:
    """A list of strings: one row each in a table with a column `value`, or one cell of a step (`sources`)."""

    key: str
    table: str
    blank: Blank = "empty"


@dataclass(frozen=True, slots=True)
class Items:
    """A list of objects: one row each. `kind` is written to the rows of a table that several keys share."""

    key: str
    table: str
    parts: tuple[Scalar | Strings, ...]
    blank: Blank = "empty"
    kind: str | None = None
    #: A bare string in the list is taken for an object with this key alone.
    bare: str | None = None
    #: For each part where its value stands in a row.
    places: tuple[tuple[str, int, Scalar | Strings], ...] = field(init=False)
    known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        index = INDEX[self.table]
        places = tuple(
            (part.key, index["sources" if isinstance(part, Strings) else part.column], part) for part in self.parts
        )
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "known", frozenset(part.key for part in self.parts))


@dataclass(frozen=True, slots=True)
class Aligned:
    """A list of strings that goes with the rows of another list by position (`workarounds_zh`)."""

    key: str
    table: str
    column: str
    blank: Blank = "absent"


@dataclass(frozen=True, slots=True)
class Mapping:
    """An object with free keys: rows of `environments` under a scope. `pulled` keys stand in columns of entries."""

    key: str
    scope: str
    pulled: tuple[str, ...] = ()
    blank: Blank = "absent"


@dataclass(frozen=True, slots=True)
class Notes:
    """An object from operating system to a note: rows of `os_notes`; a note that isn't a string goes to `extra`."""

    key: str
    blank: Blank = "empty"


@dataclass(frozen=True, slots=True)
class Version:
    """One row of `versions` of a kind: an object of scalars, or (with `column`) a single string."""

    key: str
    kind: str
    parts: tuple[Text, ...] = ()
    column: str | None = None
    blank: Blank = "absent"


@dataclass(frozen=True, slots=True)
class Group:
    """An object whose members are parts of their own."""

    key: str
    parts: tuple[Part, ...]
    blank: Blank = "absent"
    #: For each part where its value stands in a row of entries; -1 when it doesn't.
    places: tuple[tuple[str, int, Part], ...] = field(init=False)
    known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        index = INDEX["entries"]
        places = tuple(
            (part.key, index[part.column] if isinstance(part, Text | Number) else -1, part) for part in self.parts
        )
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "known", frozenset(part.key for part in self.parts))


Part = Scalar | Strings | Items | Aligned | Mapping | Notes | Version | Group


def _edges(blank: Blank) -> Group:
    """The transition graph, the same in both dialects."""
    edge: tuple[Scalar, ...] = (
        Text("error_id", "to_id"),
        Number("probability", "probability"),
        Text("condition", "condition"),
        Text("distinction", "distinction"),
        Text("typical_delay", "typical_delay"),
    )
    kinds = ("leads_to", "preceded_by", "frequently_confused_with")
    return Group(
        "transition_graph", tuple(Items(kind, "transitions", edge, "empty", kind, "error_id") for kind in kinds), blank
    )


_DEAD_ENDS = Items(
    "dead_ends",
    "dead_ends",
    (
        Text("action", "action"),
        Text("why_fails", "why_fails"),
        Number("fail_rate", "fail_rate"),
        Text("condition", "condition"),
        Strings("sources", "sources"),
        Text("common_misconception", "common_misconception"),
    ),
)
_WORKAROUNDS = Items(
    "workarounds",
    "workarounds",
    (
        Text("action", "action"),
        Number("success_rate", "success_rate"),
        Text("how", "how"),
        Text("condition", "condition"),
        Strings("sources", "sources"),
        Text("tradeoff", "tradeoff"),
    ),
)
_VERSIONS = Items(
    "versions",
    "versions",
    (
        Text("version", "version", "null"),
        Text("introduced", "introduced", "null"),
        Text("deprecated", "deprecated", "null"),
        Text("removed", "removed", "null"),
        Text("behavior_change", "behavior_change", "null"),
        Text("status", "status", "null"),
    ),
    kind="listed",
)

#: Keys in the order of the seed document; what only the nested dialect knows follows, absent unless it has a value.
FLAT = Group(
    "",
    (
        Text("id", "id"),
        Text("signature", "signature", "null"),
        Text("signature_zh", "signature_zh", "null"),
        Text("regex", "regex", "null"),
        Text("domain", "domain", "null"),
        Text("category", "category", "null"),
        Text("subcategory", "subcategory", "null"),
        Text("root_cause", "root_cause", "null"),
        Text("root_cause_type", "root_cause_type", "null"),
        Text("root_cause_zh", "root_cause_zh", "null"),
        _VERSIONS,
        Notes("os_specific"),
        _DEAD_ENDS,
        _WORKAROUNDS,
        Aligned("workarounds_zh", "workarounds", "text_zh", "empty"),
        _edges("empty"),
        Text("official_doc_url", "official_doc_url", "null"),
        Text("official_doc_section", "official_doc_section", "null"),
        Text("error_code", "error_code", "null"),
        Text("verification_tier", "verification_tier", "null"),
        Number("confidence", "confidence", "null"),
        Number("fix_success_rate", "fix_success_rate", "null"),
        Text("resolvable", "resolvable", "null"),
        Text("first_seen", "first_seen", "null"),
        Text("last_confirmed", "last_confirmed", "null"),
        Text("last_updated", "last_updated", "null"),
        Number("evidence_count", "evidence_count", "null", real=False),
        Strings("tags", "tags"),
        Text("locale", "locale", "null"),
        Strings("aliases", "aliases"),
        Text("url", "url"),
        Text("os", "os"),
        Text("country", "country"),
        Group("environment", (Mapping("hardware", "hardware"), Mapping("additional", "additional"))),
        Text("schema_version", "schema_version"),
        Text("review_status", "review_status"),
        Text("generated_by", "generated_by"),
        Text("generation_date", "generation_date"),
        Text("last_verification", "last_verification"),
        Number("page_views", "page_views", real=False),
        Number("ai_agent_hits", "ai_agent_hits", real=False),
        Number("human_hits", "human_hits", real=False),
    ),
)

NESTED = Group(
    "",
    (
        Text("schema_version", "schema_version"),
        Text("id", "id"),
        Text("url", "url"),
        Group(
            "error",
            (
                Text("signature", "signature"),
                Text("regex", "regex"),
                Text("domain", "domain"),
                Text("category", "category"),
                Text("first_seen", "first_seen"),
                Text("last_confirmed", "last_confirmed"),
            ),
        ),
        Group(
            "environment",
            (
                Version("runtime", "runtime", (Text("name", "package"), Text("version_range", "specifier"))),
                Text("os", "os"),
                Version("python", "python", column="specifier"),
                Version("framework", "framework", column="version"),
                Mapping("hardware", "hardware"),
                Mapping("additional", "additional", ("country",)),
            ),
        ),
        Group(
            "verdict",
            (
                Text("resolvable", "resolvable"),
                Number("fix_success_rate", "fix_success_rate"),
                Number("confidence", "confidence"),
                Text("last_updated", "last_updated"),
                Text("summary", "root_cause"),
            ),
        ),
        _DEAD_ENDS,
        _WORKAROUNDS,
        _edges("empty"),
        Group(
            "metadata",
            (
                Text("generated_by", "generated_by"),
                Text("generation_date", "generation_date"),
                Text("review_status", "review_status"),
                Number("evidence_count", "evidence_count", real=False),
                Text("last_verification", "last_verification"),
                Number("page_views", "page_views", real=False),
                Number("ai_agent_hits", "ai_agent_hits", real=False),
                Number("human_hits", "human_hits", real=False),
            ),
        ),
    ),
)

DIALECTS = {"flat": FLAT, "nested": NESTED}
