"""Documents to rows and back."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from culdesac.db.dialects import DIALECTS, Aligned, Group, Items, Mapping, Notes, Number, Part, Strings, Text, Version
from culdesac.db.documents import BadDocument, flatten, restore
from culdesac.db.rows import COLUMNS, EntryRows
from tests.corpora import documents

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
JSON = st.recursive(
    SCALARS | TEXT, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


def value_of(part: Part) -> st.SearchStrategy[Any]:
    """Any value that a part of a dialect takes, and null."""
    match part:
        case Text():
            found: st.SearchStrategy[Any] = TEXT
        case Number():
            found = NUMBERS
        case Strings() | Aligned():
            found = st.lists(TEXT, max_size=3)
        case Items():
            item: st.SearchStrategy[Any] = object_of(part.parts)
            found = st.lists(item | TEXT.filter(bool) if part.bare else item, max_size=3)
        case Mapping():
            found = st.dictionaries(TEXT | st.just("country"), JSON, max_size=3)
        case Notes():
            found = st.dictionaries(TEXT, TEXT | JSON.filter(lambda value: value is not None), max_size=3)
        case Version():
            found = TEXT if part.column else object_of(part.parts)
        case Group():
            found = object_of(part.parts)
    return found | st.none()


@st.composite
def object_of(draw: st.DrawFn, parts: tuple[Part, ...]) -> dict[str, Any]:
    """An object with some of the parts, in any order, and unknown keys at this depth."""
    chosen = draw(st.lists(st.sampled_from(parts), unique_by=lambda part: part.key)) if parts else []
    known = {part.key for part in parts}
    unknown = draw(st.dictionaries(TEXT.filter(lambda key: key not in known), JSON, max_size=2))
    return {part.key: draw(value_of(part)) for part in chosen} | unknown


@st.composite
def any_document(draw: st.DrawFn, dialect: str) -> dict[str, Any]:
    """A document of a dialect: an id, a signature, and anything else."""
    document = draw(object_of(DIALECTS[dialect].parts))
    document["id"] = draw(TEXT.filter(bool))
    signature = draw(TEXT.filter(bool))
    if dialect == "flat":
        document.pop("error", None)
        document["signature"] = signature
    else:
        document["error"] = {**(document.get("error") or {}), "signature": signature}
    return document


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values: 1 equals 1.0, true doesn't equal 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_any_document_comes_back(dialect: str) -> None:
    @given(any_document(dialect))
    def check(document: dict[str, Any]) -> None:
        back = restore(flatten(copy.deepcopy(document), dialect))
        assert same(back, document)

    check()


def test_the_corpora_come_back() -> None:
    for document in documents():
        assert same(restore(flatten(document)), document)


def test_a_flat_document_keeps_the_order_of_its_keys() -> None:
    for document in documents():
        if "signature" in document:
            assert json.dumps(restore(flatten(document))) == json.dumps(document)


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"id": ""}, "id", "an entry needs one that isn't empty"),
        ({"id": 5}, "id", "expected a string, got a number"),
        ({"signature": None}, "signature", "an entry needs one that isn't empty"),
        ({"confidence": True}, "confidence", "expected a number, got true or false"),
        ({"confidence": "0.5"}, "confidence", "expected a number, got a string"),
        ({"workarounds": {}}, "workarounds", "expected an array, got an object"),
        ({"workarounds": [3]}, "workarounds[0]", "expected an object, got a number"),
        ({"workarounds": [{}, {"how": []}]}, "workarounds[1].how", "expected a string, got an array"),
        ({"dead_ends": [{"sources": [None]}]}, "dead_ends[0].sources[0]", "expected a string, got null"),
        ({"tags": "one"}, "tags", "expected an array, got a string"),
        ({"os_specific": []}, "os_specific", "expected an object, got an array"),
        (
            {"root_cause": "a\0b"},
            "root_cause",
            "holds a NUL character, where most programs would cut the text off; remove it",
        ),
    ],
)
def test_wrong_types_are_named(change: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(BadDocument) as caught:
        flatten({"id": "a/b", "signature": "s"} | change)
    assert (caught.value.field, caught.value.message) == (field, message)


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "signature"),
        ({"id": "a/b"}, "signature"),
        ({"error": "text", "id": "a/b"}, "error"),
        ({"verdict": {}}, "error"),
    ],
)
def test_what_is_no_entry_is_named(document: dict[str, Any], field: str) -> None:
    with pytest.raises(BadDocument) as caught:
        flatten(document)
    assert caught.value.field == field


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400, 2**53 + 1, 0, -1, 1, 1.0, 1e308, 5e-324])
def test_numbers_stay_exact(number: float) -> None:
    document = {"id": "a/b", "signature": "s", "evidence_count": number, "confidence": number}
    assert same({key: restore(flatten(document))[key] for key in document}, document)


def test_every_column_of_the_model_is_read_and_written_by_some_dialect() -> None:
    """Put a value of its own into each column: the documents of both dialects show every one of them."""
    made = {table: [f"{table}.{column}" for column in columns] for table, columns in COLUMNS.items()}
    rows = EntryRows(list(made["entries"]))
    rows.set("extra", None)
    rows.set("shape", None)
    shown = ""
    for dialect in DIALECTS:
        rows.set("dialect", dialect)
        for table in COLUMNS:
            if table != "entries":
                setattr(rows, table, [list(made[table])])
        rows.versions = [["listed" if dialect == "flat" else "runtime", *made["versions"][1:]]]
        rows.transitions = [["leads_to", *made["transitions"][1:]]]
        rows.environments = [["hardware", "environments.key", "environments.value", "text"]]
        for table in ("workarounds", "dead_ends"):
            getattr(rows, table)[0][-1] = [f"{table}.sources"]
        shown += json.dumps(restore(rows))
    written_otherwise = {
        "entries.dialect", "entries.extra", "entries.shape", "versions.kind", "transitions.kind",
        "environments.scope", "environments.type",
    }  # fmt: skip
    missing = {name for names in made.values() for name in names if f'"{name}"' not in shown}
    assert missing == written_otherwise
