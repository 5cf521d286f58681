"""A document's way into rows."""

from __future__ import annotations

import math
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
from culdesac.db.pointers import BadDocument, dotted, escape, kind
from culdesac.db.rows import INDEX, EntryRows, Row, split_id
from culdesac.db.versions import join_version, split_version

_MISSING = object()


def dialect_of(document: dict[str, Any]) -> str:
    """Name the dialect a document is written in, by its keys: "nested" or "flat".

    Raises BadDocument when it is neither.
    """
    if isinstance(document.get("error"), dict):
        return "nested"
    if "signature" in document:
        return "flat"
    if "error" in document or "verdict" in document:
        raise BadDocument(
            "error", _("expected an object with the signature, got {kind}").format(kind=kind(document.get("error")))
        )
    raise BadDocument("signature", _("not an error entry: it has neither `signature` nor `error.signature`"))


def flatten(document: dict[str, Any], dialect: str | None = None) -> EntryRows:
    """Make the rows of a document.

    Raises BadDocument for a value of the wrong type and for an entry without id or signature. Wrong values of the
    right type pass: the checks report them.
    """
    dialect = dialect or dialect_of(document)
    reader = _Reader()
    reader.group(DIALECTS[dialect], document, "")
    rows = reader.rows
    for name, place in (("id", "id"), ("signature", "signature" if dialect == "flat" else "error.signature")):
        if not rows.column(name):
            raise BadDocument(place, _("an entry needs one that isn't empty"))
    if rows.column("domain") is None:
        # The facets need a domain: the id has one. `shape` says what the document had in its place.
        place, holder = ("/domain", document) if dialect == "flat" else ("/error/domain", document["error"])
        reader.shape[place] = "null" if "domain" in holder else "absent"
        rows.set("domain", split_id(rows.column("id")).domain)
    rows.set("dialect", dialect)
    rows.set("extra", _json(reader.extra))
    rows.set("shape", _json(reader.shape))
    return rows


def _json(mapping: dict[str, Any]) -> str | None:
    return msgspec.json.encode(mapping, order="sorted").decode() if mapping else None


def _text(value: Any, where: str) -> str:
    if type(value) is not str:
        raise BadDocument(dotted(where), _("expected a string, got {kind}").format(kind=kind(value)))
    if "\0" in value:
        raise BadDocument(
            dotted(where), _("holds a NUL character, where most programs would cut the text off; remove it")
        )
    return value


class _Reader:
    """One document's way into rows."""

    def __init__(self) -> None:
        self.rows = EntryRows.blank()
        self.extra: dict[str, Any] = {}
        self.shape: dict[str, Blank] = {}

    def group(self, group: Group, value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            raise BadDocument(dotted(pointer), _("expected an object, got {kind}").format(kind=kind(value)))
        found = 0
        entries = self.rows.entries
        for key, place, part in group.places:
            member = value.get(key, _MISSING)
            if member is _MISSING:
                if part.blank != "absent":
                    self.shape[f"{pointer}/{key}"] = "absent"
                continue
            found += 1
            # Nearly every value is a string where one belongs: the way through is short for those.
            if place >= 0 and member.__class__ is str and part.__class__ is Text and "\0" not in member:
                entries[place] = member
            elif member is None:
                if part.blank != "null":
                    self.shape[f"{pointer}/{key}"] = "null"
            else:
                _READ[part.__class__](self, part, member, f"{pointer}/{key}")
        if found != len(value):
            self.rest(value, group.known, pointer)
        if not found and group.key:
            self.shape[pointer] = "empty"

    def rest(self, value: dict[str, Any], known: frozenset[str], pointer: str) -> None:
        """Keep the members that the dialect doesn't know."""
        for key, member in value.items():
            if key not in known:
                self.extra[f"{pointer}/{escape(key)}"] = member

    def scalar(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Text | Number)
        self.rows.entries[INDEX["entries"][part.column]] = self.value(part, value, where)

    def value(self, part: Text | Number, value: Any, where: str) -> Any:
        """A scalar as its column holds it; None, and the number in `extra`, when the column can't hold it exactly."""
        if isinstance(part, Text):
            return _text(value, where)
        if type(value) is float:
            if not math.isfinite(value):
                raise BadDocument(dotted(where), _("expected a finite number"))
            return value
        if type(value) is not int:
            raise BadDocument(dotted(where), _("expected a number, got {kind}").format(kind=kind(value)))
        if -(2**63) <= value < 2**63 and not (part.real and int(float(value)) != value):
            return float(value) if part.real else value
        self.extra[where] = value
        return None

    def strings(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Strings)
        for text in self.string_list(part, value, where):
            self.rows.add(part.table, value=text)

    def string_list(self, part: Strings | Aligned, value: Any, where: str) -> list[str]:
        items = self.sequence(part.blank, value, where)
        for index, text in enumerate(items):
            _text(text, f"{where}/{index}")
        return items

    def sequence(self, blank: Blank, value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise BadDocument(dotted(where), _("expected an array, got {kind}").format(kind=kind(value)))
        if not value and blank != "empty":
            self.shape[where] = "empty"
        return value

    def items(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Items)
        for index, item in enumerate(self.sequence(part.blank, value, where)):
            place = f"{where}/{index}"
            if part.bare and type(item) is str:
                self.shape[place] = "empty"
                item = {part.bare: item}
            if not isinstance(item, dict):
                raise BadDocument(dotted(place), _("expected an object, got {kind}").format(kind=kind(item)))
            self.item(part, item, place)

    def item(self, part: Items, item: dict[str, Any], place: str) -> None:
        row = self.rows.add(part.table)
        if part.kind:
            row[INDEX[part.table]["kind"]] = part.kind
        found = 0
        for key, index, member in part.places:
            value = item.get(key, _MISSING)
            if value is _MISSING:
                if member.blank != "absent":
                    self.shape[f"{place}/{key}"] = "absent"
                continue
            found += 1
            if value.__class__ is str and member.__class__ is Text and "\0" not in value:
                row[index] = value
            elif value is None:
                if member.blank != "null":
                    self.shape[f"{place}/{key}"] = "null"
            elif isinstance(member, Strings):
                row[index] = self.string_list(member, value, f"{place}/{key}")
            else:
                row[index] = self.value(member, value, f"{place}/{key}")
        if found != len(item):
            self.rest(item, part.known, place)
        if part.table == "versions":
            columns = INDEX["versions"]
            row[columns["package"]], row[columns["specifier"]] = split_version(row[columns["version"]] or "")

    def aligned(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Aligned)
        table: list[Row] = getattr(self.rows, part.table)
        for index, text in enumerate(self.string_list(part, value, where)):
            if index == len(table):
                # A Chinese step more than there are workarounds: the row is that step alone.
                self.rows.add(part.table)
                self.shape[f"/{part.table}/{index}"] = "absent"
            table[index][INDEX[part.table][part.column]] = text

    def mapping(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Mapping)
        if not isinstance(value, dict):
            raise BadDocument(dotted(where), _("expected an object, got {kind}").format(kind=kind(value)))
        if not value and part.blank != "empty":
            self.shape[where] = "empty"
        for key, member in value.items():
            if type(member) is not str:
                text = msgspec.json.encode(member, order="sorted").decode()
                self.rows.add("environments", scope=part.scope, key=key, value=text, type="json")
            elif key in part.pulled:
                self.rows.set(key, member)
            else:
                self.rows.add("environments", scope=part.scope, key=key, value=member, type="text")
        # An object has no order; one order makes equal entries equal rows.
        self.rows.environments.sort(key=lambda row: (row[0], row[1]))

    def notes(self, part: Part, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise BadDocument(dotted(where), _("expected an object, got {kind}").format(kind=kind(value)))
        for system in sorted(value):
            if type(value[system]) is str:
                self.rows.add("os_notes", os=system, note=value[system])
            else:
                self.extra[f"{where}/{escape(system)}"] = value[system]

    def version(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Version)
        row: dict[str, Any] = {"kind": part.kind}
        if part.column:
            row[part.column] = self.value(Text(part.key, part.column), value, where)
        else:
            if not isinstance(value, dict):
                raise BadDocument(dotted(where), _("expected an object, got {kind}").format(kind=kind(value)))
            if not any(member.key in value for member in part.parts):
                self.shape[where] = "empty"
            for member in part.parts:
                given = value.get(member.key, _MISSING)
                if given is None:
                    self.shape[f"{where}/{member.key}"] = "null"
                elif given is not _MISSING:
                    row[member.column] = self.value(member, given, f"{where}/{member.key}")
            self.rest(value, frozenset(member.key for member in part.parts), where)
        if part.kind == "framework":
            row["package"], row["specifier"] = split_version(row["version"])
        else:
            if part.column:
                row["package"] = part.kind
            row["version"] = join_version(row.get("package"), row.get("specifier"))
        self.rows.add("versions", **row)


_READ: dict[type, Callable[[_Reader, Part, Any, str], None]] = {
    Text: _Reader.scalar,
    Number: _Reader.scalar,
    Strings: _Reader.strings,
    Items: _Reader.items,
    Aligned: _Reader.aligned,
    Mapping: _Reader.mapping,
    Notes: _Reader.notes,
    Version: _Reader.version,
    Group: _Reader.group,  # type: ignore[dict-item]
}
