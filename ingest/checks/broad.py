"""Regexes that match other errors' signatures too, without trying every regex on every signature.

The signatures of the best entries stand in a trigram index (in the temporary database, never in the file). What a
regex requires finds those that it may match, and RE2 confirms some of them. Every step has a cap, so the work grows
with the number of regexes, and one hostile pattern or one word that all signatures have costs no more than they allow.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import re2

from culdesac.ingest.checks.codes import Problem, problem, quote
from culdesac.ingest.checks.patterns import Clause, Clauses, read_pattern
from culdesac.ingest.checks.regexes import (
    LONGEST_PATTERN,
    Finder,
    compile_finder,
    has_plain,
    lowered_if_simple,
    plain_words,
)
from culdesac.ingest.checks.sql import statement

#: A regex that matches the signatures of so many other errors is reported.
TOO_MANY_MATCHES = 5
#: Regexes are tried on the signatures of this many entries, the best ones; on so many characters of each.
MOST_SIGNATURES = 5_000
LONGEST_SIGNATURE = 500
#: Of those, one regex is run on at most this many that hold a text it requires.
MOST_CANDIDATES = 500
#: And on so many characters in all as make this product with the number of its RE2 instructions: the steps it may take.
MOST_STEPS = 20_000_000
#: One regex is looked up by at most so many alternatives, with each text cut to so many characters.
MOST_CLAUSES = 16
LONGEST_REQUIRED = 8
# Characters that a trigram index needs to find anything.
_TRIGRAM = 3
_NAMED = 3


class _Signature(NamedTuple):
    error_id: str
    text: str
    #: In lower case, where that is all there is to matching plain patterns.
    lowered: str | None


def broad_regexes(connection: sqlite3.Connection) -> Iterator[tuple[int, Problem]]:
    """Yield (entry pk, problem) for each regex that matches the signatures of too many other errors."""
    signatures = [
        _Signature(error_id, text, lowered_if_simple(text))
        for error_id, text in connection.execute(
            statement("best_signatures"), {"longest": LONGEST_SIGNATURE, "most": MOST_SIGNATURES}
        )
    ]
    connection.execute(statement("drop_signatures"))
    connection.execute(statement("make_signatures"))
    try:
        rows = ((place, signature.text) for place, signature in enumerate(signatures))
        connection.executemany(statement("fill_signatures"), rows)
        connection.execute(statement("optimize_signatures"))
        for pk, error_id, regex in connection.execute(statement("regexes_of_entries")):
            others = _other_matches(connection, signatures, error_id, regex)
            if len(others) >= TOO_MANY_MATCHES:
                message = (
                    f"also matches the signatures of {TOO_MANY_MATCHES} or more other errors, such as "
                    f"{', '.join(map(quote, others[:_NAMED]))}: make {quote(regex)} more specific"
                )
                yield pk, problem("regex-matches-others", "regex", message)
    finally:
        connection.execute(statement("drop_signatures"))


def _other_matches(
    connection: sqlite3.Connection, signatures: list[_Signature], error_id: str, regex: str
) -> list[str]:
    """The first other errors whose signature the regex matches: no more than it takes to report it."""
    required = read_pattern(regex).required if len(regex) <= LONGEST_PATTERN else ()
    if not required:
        # regex-costly or regex-too-broad says so already.
        return []
    matcher = _Matcher(regex)
    others: dict[str, None] = {}
    for place in _candidates(connection, required):
        if place >= len(signatures):
            break
        signature = signatures[place]
        if signature.error_id == error_id or signature.error_id in others:
            continue
        try:
            if matcher.matches(signature):
                others[signature.error_id] = None
        except (re2.error, UnicodeEncodeError):
            # regex-invalid or regex-unsupported.
            return []
        if len(others) == TOO_MANY_MATCHES or matcher.steps > MOST_STEPS:
            break
    return list(others)


class _Matcher:
    """One regex, compiled when a signature needs it: that costs more than finding out that none does."""

    def __init__(self, regex: str) -> None:
        self._regex = regex
        self._plain = plain_words(regex)
        self._finds: Finder | None = None
        self._size = 0
        self.steps = 0

    def matches(self, signature: _Signature) -> bool:
        """Whether the regex matches. Raises re2.error when RE2 doesn't take it."""
        if self._plain is not None and signature.lowered is not None:
            return has_plain(self._plain, signature.lowered)
        if self._finds is None:
            self._finds, self._size = compile_finder(self._regex, read_pattern(self._regex))
        self.steps += self._size * len(signature.text)
        return self.steps <= MOST_STEPS and self._finds(signature.text)


def _candidates(connection: sqlite3.Connection, required: Clauses) -> Iterator[int]:
    """Where the signatures stand that hold what is required, best entries first."""
    clauses = [_fts5(clause) for clause in required[:MOST_CLAUSES]]
    if not all(clauses):
        # Two Chinese characters, say: the index can't look them up.
        return iter(range(MOST_CANDIDATES))
    parameters = {"texts": " OR ".join(clauses), "most": MOST_CANDIDATES}
    return (place for (place,) in connection.execute(statement("matching_signatures"), parameters))


def _fts5(clause: Clause) -> str:
    """All texts of a clause as an FTS5 expression; "" when the index can look up none."""
    # FTS5 reads a query up to the first NUL.
    texts = [text[:LONGEST_REQUIRED] for text in clause if len(text) >= _TRIGRAM and "\0" not in text]
    quoted = " AND ".join('"' + text.replace('"', '""') + '"' for text in texts)
    return f"({quoted})" if texts else ""
