"""What entries say about each other: found in the finished file, with work that grows as the number of entries does.

Nothing here compares every entry with every other. Signatures that a regex might match come from an index of their
trigrams (in the temporary database, never in the file) by text that the regex requires; edges and duplicates from
sorted tables. The caps below keep one hostile pattern or one very common word from costing more than a fixed amount.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import re2

from culdesac.ingest.checks.codes import CheckOptions, Problem, problem, quote
from culdesac.ingest.checks.patterns import Clause, Clauses, read_pattern
from culdesac.ingest.checks.regexes import LONGEST_PATTERN, LONGEST_TEXT, Finder, compile_finder
from culdesac.ingest.checks.values import FIRST_YEAR, LAST_YEAR, period

#: A regex that matches the signatures of so many other errors is reported.
TOO_MANY_MATCHES = 5
#: Regexes are tried on the signatures of this many entries, the best ones.
MOST_SIGNATURES = 20_000
#: Of those, one regex is run on at most this many that hold a text it requires.
MOST_CANDIDATES = 500
#: And on so many characters in all as make this product with the number of its RE2 instructions: the steps it may take.
MOST_STEPS = 20_000_000
#: One regex is looked up by at most so many alternatives, with each text cut to so many characters.
MOST_CLAUSES = 16
LONGEST_REQUIRED = 8
#: Characters that a trigram index needs to find anything.
_TRIGRAM = 3
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
    yield from _broad_regexes(connection)
    yield from _edges(connection)
    yield from _stale(connection, options)


@cache
def statement(name: str) -> str:
    """The text of ingest/checks/<name>.sql: one statement."""
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")


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


def _broad_regexes(connection: sqlite3.Connection) -> Found:
    connection.execute(statement("drop_signatures"))
    connection.execute(statement("make_signatures"))
    try:
        connection.execute(statement("fill_signatures"), {"longest": LONGEST_TEXT, "most": MOST_SIGNATURES})
        connection.execute(statement("optimize_signatures"))
        for pk, error_id, regex in connection.execute(statement("regexes_of_entries")):
            others = _other_matches(connection, error_id, regex)
            if len(others) >= TOO_MANY_MATCHES:
                message = (
                    f"also matches the signatures of {TOO_MANY_MATCHES} or more other errors, such as "
                    f"{_names(others, _NAMED)}: make {quote(regex)} more specific"
                )
                yield pk, problem("regex-matches-others", "regex", message)
    finally:
        connection.execute(statement("drop_signatures"))


def _other_matches(connection: sqlite3.Connection, error_id: str, regex: str) -> list[str]:
    """The first other errors whose signature the regex matches: no more than it takes to report it."""
    if len(regex) > LONGEST_PATTERN:
        return []
    shape = read_pattern(regex)
    if not shape.required:
        # regex-too-broad says so already.
        return []
    finds: Finder | None = None
    size = steps = 0
    others: dict[str, None] = {}
    for other, signature in _candidates(connection, shape.required):
        if other == error_id or other in others:
            continue
        try:
            # Compiling costs more than finding out that there is nothing to match.
            if finds is None:
                finds, size = compile_finder(regex, shape)
        except (re2.error, UnicodeEncodeError):
            return []
        steps += size * len(signature)
        if steps > MOST_STEPS:
            break
        if finds(signature):
            others[other] = None
            if len(others) == TOO_MANY_MATCHES:
                break
    return list(others)


def _candidates(connection: sqlite3.Connection, required: Clauses) -> sqlite3.Cursor:
    limits: dict[str, Any] = {"longest": LONGEST_TEXT, "most": MOST_CANDIDATES}
    clauses = [_fts5(clause) for clause in required[:MOST_CLAUSES]]
    if not all(clauses):
        return connection.execute(statement("best_signatures"), limits)
    return connection.execute(statement("matching_signatures"), {**limits, "texts": " OR ".join(clauses)})


def _fts5(clause: Clause) -> str:
    """All texts of a clause as an FTS5 expression; "" when the index can look up none."""
    # FTS5 reads a query up to the first NUL.
    texts = [text[:LONGEST_REQUIRED] for text in clause if len(text) >= _TRIGRAM and "\0" not in text]
    quoted = " AND ".join('"' + text.replace('"', '""') + '"' for text in texts)
    return f"({quoted})" if texts else ""


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
