"""Entries back from the tables, one or all, as the rows that `documents.restore` takes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import NamedTuple

from culdesac.db.rows import COLUMNS, EntryRows, Row
from culdesac.db.sql import statement

_CHILDREN = tuple(table for table in COLUMNS if table != "entries")
_BATCH = 500
#: How Python says that a cell of text is no UTF-8.
_NOT_TEXT = "Could not decode to UTF-8"
#: Told of an entry that can't be read: its pk, and what is wrong.
OnBad = Callable[[int, str], None]


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


def read_all(connection: sqlite3.Connection, on_bad: OnBad | None = None) -> Iterator[Stored]:
    """Every entry, in the order of pk; memory stays that of a few hundred entries.

    An entry that can't be read (text that isn't UTF-8, in a stranger's file) goes to `on_bad`, by pk and with what is
    wrong; without that it raises sqlite3.OperationalError.
    """
    start = -(2**63)
    while True:
        first, last = connection.execute(statement("next_batch"), {"first": start, "size": _BATCH}).fetchone()
        if first is None:
            return
        try:
            yield from read_entries(connection, first, last)
        except sqlite3.OperationalError as error:
            if on_bad is None or not str(error).startswith(_NOT_TEXT):
                raise
            yield from _one_by_one(connection, first, last, on_bad)
        if last == 2**63 - 1:
            return
        start = last + 1


def _one_by_one(connection: sqlite3.Connection, first: int, last: int, on_bad: OnBad) -> Iterator[Stored]:
    for (pk,) in connection.execute(statement("pks"), {"first": first, "last": last}).fetchall():
        try:
            yield from read_entries(connection, pk, pk)
        except sqlite3.OperationalError as error:
            on_bad(pk, str(error))
