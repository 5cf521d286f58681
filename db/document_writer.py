"""An entry's way back into a document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from culdesac.db.dialects import (
    DIALECTS,
    Aligned,
    Blank,
    Group,
    Items,
    Mapping,
    Notes,
    Number,
    Part,
    Strings,
    Text,
    Version,
)
from culdesac.db.messages import _
from culdesac.db.pointers import BadDocument, dotted, put
from culdesac.db.rows import INDEX, EntryRows, Row


def restore(rows: EntryRows, dialect: str | None = None) -> dict[str, Any]:
    """Make the document of an entry again, in its own dialect.

    In another dialect (`dialect="flat"` for an entry that came nested) the document has all columns but neither
    `extra` nor `shape`, whose pointers only mean something in the entry's own.
    """
    own = rows.column("dialect")
    dialect = dialect or own
    shape: dict[str, Blank] = _parse(rows.column("shape")) if dialect == own else {}
    writer = _Writer(rows, shape)
    document = writer.group(DIALECTS[dialect], "")
    if dialect == own:
        for pointer, value in _parse(rows.column("extra")).items():
            put(document, pointer, value)
    return document


def _parse(text: str | None) -> dict[str, Any]:
    """What `extra` or `shape` says; a cell that somebody has spoilt by hand says nothing."""
    try:
        parsed = msgspec.json.decode(text) if text else {}
    except msgspec.MsgspecError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


class _Writer:
    """One entry's way back into a document."""

    def __init__(self, rows: EntryRows, shape: dict[str, Blank]) -> None:
        self.rows = rows
        self.shape = shape

    def group(self, group: Group, pointer: str) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for part in group.parts:
            where = f"{pointer}/{part.key}"
            value = _WRITE[type(part)](self, part, where)
            if part.key == "domain" and where in self.shape:
                value = None
            if value is None or value == [] or (value == {} and not isinstance(part, Group)):
                self.blank(document, part, self.shape.get(where, part.blank))
            elif isinstance(part, Group) and where in self.shape and not _has_data(value):
                self.blank(document, part, self.shape[where])
            elif not (value == {} and part.blank == "absent"):
                document[part.key] = value
        return document

    @staticmethod
    def blank(document: dict[str, Any], part: Part, blank: Blank) -> None:
        if blank == "null":
            document[part.key] = None
        elif blank == "empty":
            document[part.key] = {} if isinstance(part, Group | Mapping | Notes | Version) else []

    def scalar(self, part: Part, where: str) -> Any:
        assert isinstance(part, Text | Number)
        return self.rows.entries[INDEX["entries"][part.column]]

    def strings(self, part: Part, where: str) -> list[str]:
        assert isinstance(part, Strings)
        return [row[0] for row in getattr(self.rows, part.table)]

    def items(self, part: Part, where: str) -> list[Any]:
        assert isinstance(part, Items)
        found: list[Any] = []
        kind = INDEX[part.table].get("kind")
        own = self.rows.column("dialect") == "flat" or part.table != "versions"
        for row in getattr(self.rows, part.table):
            place = f"{where}/{len(found)}"
            if kind is not None and own and row[kind] != part.kind:
                continue
            if self.shape.get(place) == "absent" and not any(row[:5]):
                continue
            item = self.item(part, row, place)
            found.append(item[part.bare] if part.bare and self.shape.get(place) == "empty" and len(item) == 1 else item)
        return found

    def item(self, part: Items, row: Row, place: str) -> dict[str, Any]:
        item: dict[str, Any] = {}
        index = INDEX[part.table]
        for member in part.parts:
            value = row[index["sources"] if isinstance(member, Strings) else index[member.column]]
            if value is None or value == []:
                self.blank(item, member, self.shape.get(f"{place}/{member.key}", member.blank))
            else:
                item[member.key] = value
        return item

    def aligned(self, part: Part, where: str) -> list[str]:
        assert isinstance(part, Aligned)
        column = INDEX[part.table][part.column]
        texts = [row[column] for row in getattr(self.rows, part.table)]
        while texts and texts[-1] is None:
            texts.pop()
        return [text or "" for text in texts]

    def mapping(self, part: Part, where: str) -> dict[str, Any]:
        assert isinstance(part, Mapping)
        pulled = {key: self.rows.column(key) for key in part.pulled}
        found = {key: value for key, value in pulled.items() if value is not None}
        for scope, key, value, type_ in self.rows.environments:
            if scope == part.scope:
                found[key] = _decoded(value, f"{where}/{key}") if type_ == "json" else value
        return found

    def notes(self, part: Part, where: str) -> dict[str, str]:
        return dict(self.rows.os_notes)

    def version(self, part: Part, where: str) -> Any:
        assert isinstance(part, Version)
        index = INDEX["versions"]
        row = next((row for row in self.rows.versions if row[index["kind"]] == part.kind), None)
        if row is None:
            return None
        if part.column:
            return row[index[part.column]]
        found: dict[str, Any] = {}
        for member in part.parts:
            value = row[index[member.column]]
            if value is not None:
                found[member.key] = value
            else:
                self.blank(found, member, self.shape.get(f"{where}/{member.key}", "absent"))
        return found


def _decoded(text: Any, where: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, TypeError):
        raise BadDocument(dotted(where), _("marked as JSON, but it isn't")) from None


def _has_data(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_data(member) for member in value.values())
    return value is not None and value != []


_WRITE: dict[type, Callable[[_Writer, Part, str], Any]] = {
    Text: _Writer.scalar,
    Number: _Writer.scalar,
    Strings: _Writer.strings,
    Items: _Writer.items,
    Aligned: _Writer.aligned,
    Mapping: _Writer.mapping,
    Notes: _Writer.notes,
    Version: _Writer.version,
    Group: _Writer.group,  # type: ignore[dict-item]
}
