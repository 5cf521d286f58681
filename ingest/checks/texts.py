"""Text that hides something or drowns the reader: control characters, and very long fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from culdesac.db.rows import COLUMNS, EntryRows
from culdesac.ingest.checks.codes import Problem, problem, quote

#: Characters; a longer text is reported.
LONGEST = 100_000

# Tab and the ends of lines do no harm. C1 and the bidirectional overrides and isolates do: a terminal acts on the
# first, the second make a person read other text than a machine does.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_C0 = bytes(sorted({*range(0x20), 0x7F} - set(b"\t\n\r")))
# The others in UTF-8, and the bytes without which none of them is there.
_BEYOND = re.compile(rb"\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
_STARTS = (b"\xc2", b"\xe2\x80", b"\xe2\x81")
# The columns of entries that are ours and not the author's stand last.
_OURS = 3
assert COLUMNS["entries"][-_OURS:] == ("dialect", "extra", "shape")
_SOURCES = -1
assert COLUMNS["workarounds"][_SOURCES] == COLUMNS["dead_ends"][_SOURCES] == "sources"


def check_texts(rows: EntryRows, edges: list[str]) -> Iterator[Problem]:
    """Yield texts with control characters and texts over 100,000 characters. `edges`: the paths of the transitions."""
    # Nearly every entry is clean, so one look at all of its text comes before the look at each.
    text = "\n".join(_all_texts(rows))
    if len(text) <= LONGEST and not _has_controls(text):
        return
    for field, text in _named_texts(rows, edges):
        if len(text) > LONGEST:
            yield problem("long-text", field, f"{len(text):,} characters, over {LONGEST:,}: keep what helps")
        if found := _CONTROL.search(text):
            around = text[max(found.start() - 20, 0) : found.start() + 20]
            yield problem("control-characters", field, f'control character in "{quote(around)}": remove it')


def _has_controls(text: str) -> bool:
    # Deleting bytes is the fastest search for a set of them that Python has.
    data = text.encode("utf-8", "surrogatepass")
    if len(data.translate(None, _C0)) != len(data):
        return True
    return len(data) != len(text) and any(start in data for start in _STARTS) and _BEYOND.search(data) is not None


def _all_texts(rows: EntryRows) -> list[str]:
    values = rows.entries[:-_OURS]
    for table in (rows.versions, rows.transitions, rows.environments, rows.tags, rows.aliases, rows.os_notes):
        for row in table:
            values += row
    for steps in (rows.workarounds, rows.dead_ends):
        for row in steps:
            values += row
            values += row[_SOURCES] or ()
    return [value for value in values if type(value) is str]


def _named_texts(rows: EntryRows, edges: list[str]) -> Iterator[tuple[str, str]]:
    yield from _columns("entries", "", rows.entries[:-_OURS])
    for position, row in enumerate(rows.versions):
        # Package and specifier are cut from the version.
        kept = [value if column not in ("package", "specifier") else None for column, value in _pairs("versions", row)]
        yield from _columns("versions", f"versions[{position}].", kept)
    for table in ("workarounds", "dead_ends"):
        for position, row in enumerate(getattr(rows, table)):
            for name, text in _columns(table, f"{table}[{position}].", row):
                yield (f"workarounds_zh[{position}]" if name.endswith(".text_zh") else name), text
            for index, source in enumerate(row[_SOURCES] or ()):
                yield f"{table}[{position}].sources[{index}]", source
    for path, row in zip(edges, rows.transitions, strict=True):
        for name, text in _columns("transitions", f"{path}.", row):
            yield (f"{path}.error_id" if name.endswith(".to_id") else name), text
    for scope, key, value, _ in rows.environments:
        yield f"environment.{scope}.{quote(key)}", f"{key}\n{value}"
    for table in ("tags", "aliases"):
        for position, (value,) in enumerate(getattr(rows, table)):
            yield f"{table}[{position}]", value
    for os, note in rows.os_notes:
        yield f"os_specific.{quote(os)}", f"{os}\n{note}"


def _pairs(table: str, row: list[Any]) -> Iterator[tuple[str, Any]]:
    return zip(COLUMNS[table], row, strict=False)


def _columns(table: str, prefix: str, row: list[Any]) -> Iterator[tuple[str, str]]:
    return ((f"{prefix}{column}", value) for column, value in _pairs(table, row) if type(value) is str)
