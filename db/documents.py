"""Documents to rows and back: `flatten` and `restore` are each other's inverse, for both dialects.

Every key that the dialect knows goes to its column; every other one, at any depth, to `extra` by JSON Pointer
(RFC 6901); what the tables can't say (null or absent, an empty list or none) to `shape`. A number that SQLite can't
hold exactly goes to `extra` too. No copy of the document is kept.
"""

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
from culdesac.db.rows import COLUMNS, INDEX, EntryRows, Row, split_id
from culdesac.db.versions import join_version, split_version

_MISSING = object()
_NAMES = {
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
}


class BadDocument(ValueError):
    """A document that can't become an entry: `field` is where (a dotted path), `message` what is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def dialect_of(document: dict[str, Any]) -> str:
    """Name the dialect a document is written in, by its keys: "nested" or "flat".

    Raises BadDocument when it is neither.
    """
    if isinstance(document.get("error"), dict):
        return "nested"
    if "signature" in document:
        return "flat"
    if "error" in document or "verdict" in document:
        raise BadDocument("error", f"expected an object with the signature, got {_kind(document.get('error'))}")
    raise BadDocument("signature", "not an error entry: it has neither `signature` nor `error.signature`")


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
            raise BadDocument(place, "an entry needs one that isn't empty")
    if rows.column("domain") is None:
        # The facets need a domain: the id has one. `shape` says what the document had in its place.
        place, holder = ("/domain", document) if dialect == "flat" else ("/error/domain", document["error"])
        reader.shape[place] = "null" if "domain" in holder else "absent"
        rows.set("domain", split_id(rows.column("id")).domain)
    rows.set("dialect", dialect)
    rows.set("extra", _json(reader.extra))
    rows.set("shape", _json(reader.shape))
    return rows


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
            _put(document, pointer, value)
    return document


def _json(mapping: dict[str, Any]) -> str | None:
    return msgspec.json.encode(mapping, order="sorted").decode() if mapping else None


def _parse(text: str | None) -> dict[str, Any]:
    """What `extra` or `shape` says; a cell that somebody has spoilt by hand says nothing."""
    try:
        parsed = msgspec.json.decode(text) if text else {}
    except msgspec.MsgspecError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _kind(value: Any) -> str:
    return "null" if value is None else _NAMES.get(type(value), "something else")


def _text(value: Any, where: str) -> str:
    if type(value) is not str:
        raise BadDocument(_dotted(where), f"expected a string, got {_kind(value)}")
    if "\0" in value:
        raise BadDocument(
            _dotted(where), "holds a NUL character, where most programs would cut the text off; remove it"
        )
    return value


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _dotted(pointer: str) -> str:
    """A JSON Pointer as people write it: `workarounds[0].how`."""
    out = ""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        out += f"[{name}]" if name.isdigit() and out else f".{name}" if out else name
    return out or "record"


def _put(document: dict[str, Any], pointer: str, value: Any) -> None:
    """Set a pointer's value. Where the parent is gone (an item was deleted by hand) there is nothing to set it in."""
    *parents, last = (step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])
    target: Any = document
    for step in parents:
        if isinstance(target, dict):
            target = target.get(step)
        elif isinstance(target, list) and step.isdigit() and int(step) < len(target):
            target = target[int(step)]
    if isinstance(target, dict):
        target[last] = value


class _Reader:
    """One document's way into rows."""

    def __init__(self) -> None:
        self.rows = EntryRows.blank()
        self.extra: dict[str, Any] = {}
        self.shape: dict[str, Blank] = {}

    def group(self, group: Group, value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            raise BadDocument(_dotted(pointer), f"expected an object, got {_kind(value)}")
        found = 0
        for part in group.parts:
            member = value.get(part.key, _MISSING)
            where = f"{pointer}/{part.key}"
            if member is _MISSING:
                if part.blank != "absent":
                    self.shape[where] = "absent"
                continue
            found += 1
            if member is None:
                if part.blank != "null":
                    self.shape[where] = "null"
            else:
                _READ[type(part)](self, part, member, where)
        if found != len(value):
            self.rest(value, group.known, pointer)
        if not found and group.key:
            self.shape[pointer] = "empty"

    def rest(self, value: dict[str, Any], known: frozenset[str], pointer: str) -> None:
        """Keep the members that the dialect doesn't know."""
        for key, member in value.items():
            if key not in known:
                self.extra[f"{pointer}/{_escape(key)}"] = member

    def scalar(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Text | Number)
        self.rows.entries[INDEX["entries"][part.column]] = self.value(part, value, where)

    def value(self, part: Text | Number, value: Any, where: str) -> Any:
        """A scalar as its column holds it; None, and the number in `extra`, when the column can't hold it exactly."""
        if isinstance(part, Text):
            return _text(value, where)
        if type(value) is float:
            return value
        if type(value) is not int:
            raise BadDocument(_dotted(where), f"expected a number, got {_kind(value)}")
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
            raise BadDocument(_dotted(where), f"expected an array, got {_kind(value)}")
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
                raise BadDocument(_dotted(place), f"expected an object, got {_kind(item)}")
            self.item(part, item, place)

    def item(self, part: Items, item: dict[str, Any], place: str) -> None:
        row = self.rows.add(part.table, kind=part.kind)
        index = INDEX[part.table]
        found = 0
        for member in part.parts:
            value = item.get(member.key, _MISSING)
            if value is _MISSING:
                if member.blank != "absent":
                    self.shape[f"{place}/{member.key}"] = "absent"
                continue
            found += 1
            if value is None:
                if member.blank != "null":
                    self.shape[f"{place}/{member.key}"] = "null"
            elif isinstance(member, Strings):
                row[index["sources"]] = self.string_list(member, value, f"{place}/{member.key}")
            else:
                row[index[member.column]] = self.value(member, value, f"{place}/{member.key}")
        if found != len(item):
            self.rest(item, frozenset(member.key for member in part.parts), place)
        if part.table == "versions":
            row[index["package"]], row[index["specifier"]] = split_version(row[index["version"]] or "")

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
            raise BadDocument(_dotted(where), f"expected an object, got {_kind(value)}")
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
            raise BadDocument(_dotted(where), f"expected an object, got {_kind(value)}")
        for system in sorted(value):
            if type(value[system]) is str:
                self.rows.add("os_notes", os=system, note=value[system])
            else:
                self.extra[f"{where}/{_escape(system)}"] = value[system]

    def version(self, part: Part, value: Any, where: str) -> None:
        assert isinstance(part, Version)
        row: dict[str, Any] = {"kind": part.kind}
        if part.column:
            row[part.column] = self.value(Text(part.key, part.column), value, where)
        else:
            if not isinstance(value, dict):
                raise BadDocument(_dotted(where), f"expected an object, got {_kind(value)}")
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
        raise BadDocument(_dotted(where), "marked as JSON, but it isn't") from None


def _has_data(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_data(member) for member in value.values())
    return value is not None and value != []


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
assert set(COLUMNS) == set(INDEX)
