"""What entries say about each other: found in the finished file, with work that grows as the number of entries does.

Nothing here compares every entry with every other: edges and duplicates come from sorted tables, signatures that a
regex may match from an index (`broad`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby

from culdesac.ingest.checks.broad import broad_regexes
from culdesac.ingest.checks.codes import CheckOptions, Problem, problem, quote
from culdesac.ingest.checks.sql import statement
from culdesac.ingest.checks.values import FIRST_YEAR, LAST_YEAR, period

#: A message names so many other errors.
_NAMED = 3

Found = Iterator[tuple[int, Problem]]


def check_across(connection: sqlite3.Connection, options: CheckOptions) -> Found:
    """Yield (entry pk, problem) for what only the whole file shows: duplicates, edges, broad regexes, stale entries.

    Runs on a file whose rows, indexes (db/indexes.sql) and `transitions.to_entry` are in place. Writes to the
    temporary database alone and leaves nothing there; like every write it opens a transaction where none is open,
    and it ends none. The order is fixed for the same rows. Raises sqlite3.Error.
    """
    yield from _duplicates(connection, "signature", "duplicate-signature")
    yield from _duplicates(connection, "regex", "duplicate-regex")
    yield from broad_regexes(connection)
    yield from _edges(connection)
    yield from _stale(connection, options)


def _duplicates(connection: sqlite3.Connection, column: str, code: str) -> Found:
    rows = connection.execute(statement(f"shared_{column}"))
    for _, group in groupby(rows, key=lambda row: row[2]):
        members = [(pk, error_id) for pk, error_id, _ in group]
        # Enough to name some that are not one's own, whoever asks.
        first = list(dict.fromkeys(error_id for _, error_id in members))
        for pk, error_id in members:
            others = [other for other in first[: _NAMED + 1] if other != error_id]
            message = f"the same {column} as {_names(others, len(first) - 1)}: merge them or make one more specific"
            yield pk, problem(code, column, message)


def _names(errors: list[str], count: int) -> str:
    named = ", ".join(quote(error) for error in errors[:_NAMED])
    return f"{named} and {count - _NAMED} more" if count > _NAMED else named


def _edges(connection: sqlite3.Connection) -> Found:
    for pk, kind, place, to_id in connection.execute(statement("dangling_edges")):
        message = f'no entry "{quote(to_id or "")}" in the file: correct the id or ingest that entry'
        yield pk, problem("edge-dangling", f"transition_graph.{kind}[{place}].error_id", message)
    connection.execute(statement("drop_edges"))
    connection.execute(statement("make_edges"))
    try:
        connection.execute(statement("fill_edges"))
        for pk, kind, place, target in connection.execute(statement("one_sided_edges")):
            answer = {"leads_to": "preceded_by", "preceded_by": "leads_to"}.get(kind, kind)
            message = f"{quote(target)} does not name this error under {answer}: add that edge there"
            yield pk, problem("edge-one-sided", f"transition_graph.{kind}[{place}]", message)
    finally:
        connection.execute(statement("drop_edges"))


def _stale(connection: sqlite3.Connection, options: CheckOptions) -> Found:
    first = date(FIRST_YEAR, 1, 1).isoformat()
    last = min(date(LAST_YEAR, 12, 31).isoformat(), options.as_of or "9")
    row = connection.execute(statement("newest_confirmation"), {"first": first, "last": last}).fetchone()
    if row is None or options.stale_days > (date.fromisoformat(row[0]) - date.min).days:
        return
    limit = date.fromisoformat(row[0]) - timedelta(days=options.stale_days)
    parameters = {"first": str(FIRST_YEAR), "limit": limit.isoformat()}
    for pk, confirmed in connection.execute(statement("confirmed_before"), parameters):
        # Of a year or a month the last day counts.
        days = period(confirmed) if len(confirmed) <= 10 else None
        if days and days[1] < limit:
            message = (
                f"{confirmed} is more than {options.stale_days} days before {row[0]}, about when the newest entries of "
                "the file were confirmed: confirm it again"
            )
            yield pk, problem("stale", "last_confirmed", message)
