"""Entries back from the tables, one or all, as the rows that `documents.restore` takes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from culdesac.db.rows import COLUMNS, EntryRows, Row
from culdesac.db.sql import statement

_CHILDREN = tuple(table for table in COLUMNS if table != "entries")
_BATCH = 500


class Stored(NamedTuple):
    """An entry as the file has it."""

    pk: int
    source: str
    rows: EntryRows


def read_entries(connection: sqlite3.Connection, first: int, last: int) -> list[Stored]:
    """The entries with first <= pk <= last, in that order."""
    bounds = {"first": first, "last": last}
    found = {
        pk: Stored(pk, source, EntryRows(list(row)))
        for pk, source, *row in connection.execute(statement("read_entries"), bounds)
    }
    for table in _CHILDREN:
        if table in ("workarounds", "dead_ends"):
            _read_steps(connection, table, found, bounds)
            continue
        for entry, *row in connection.execute(statement(f"read_{table}"), bounds):
            if entry in found:
                getattr(found[entry].rows, table).append(row)
    return list(found.values())


def _read_steps(connection: sqlite3.Connection, table: str, found: dict[int, Stored], bounds: dict[str, int]) -> None:
    steps: dict[int, Row] = {}
    for entry, pk, *row in connection.execute(statement(f"read_{table}"), bounds):
        if entry in found:
            steps[pk] = [*row, None]
            getattr(found[entry].rows, table).append(steps[pk])
    for pk, url in connection.execute(statement(f"read_{table.removesuffix('s')}_sources"), bounds):
        if pk in steps:
            steps[pk][-1] = [*(steps[pk][-1] or []), url]


def read_all(connection: sqlite3.Connection) -> Iterator[Stored]:
    """Every entry, in the order of pk; memory stays that of a few hundred entries."""
    after = -(2**63)
    while True:
        first, last = connection.execute(statement("next_batch"), {"after": after, "size": _BATCH}).fetchone()
        if first is None:
            return
        yield from read_entries(connection, first, last)
        after = last
