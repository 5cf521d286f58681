"""The index proposes: a few dozen entries that may be the error, from three sides.

By the exact signature of a line; by all the text of an entry; and, for a log, by signatures alone, of which those that
agree best with one of its lines are kept. How many documents a search may look at is bounded by choosing its terms by
how many documents hold them, so that a large file is not slower than a small one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from culdesac.db.text import signature_key
from culdesac.queries.query import Query, Simplify
from culdesac.queries.signatures import Match, Signatures
from culdesac.queries.sql import engine

#: How many entries each side may propose; `_COMPARED` signatures are compared with the lines to find the best.
_BY_TEXT, _COMPARED, _BY_SIGNATURE, _EXACT = 25, 150, 20, 20
_EXACT_LINES = 2_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the index says of a candidate: bm25 over all its text (0 when that didn't propose it), its signature's best
    line, and whether a line is its signature word for word."""

    bm25: float
    match: Match
    exact: bool


def propose(
    connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None], simplify: Simplify
) -> dict[int, Proposal]:
    """The candidates by pk. `filters` binds :domain, :os and :package."""
    exact = _exact(connection, query, filters, simplify)
    texts = _by_text(connection, query, filters)
    compared = {} if query.prose else _by_signature(connection, query, filters)
    signatures = _signatures(connection, {*exact, *texts, *compared})
    matcher = Signatures(query, _counts(connection, signatures))
    matches = {pk: matcher.match(signature) for pk, signature in signatures.items()}
    best = sorted(compared, key=lambda pk: (-matches[pk].agreement, pk))[:_BY_SIGNATURE]
    return {pk: Proposal(texts.get(pk, 0.0), matches[pk], pk in exact) for pk in dict.fromkeys([*exact, *texts, *best])}


def _exact(
    connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None], simplify: Simplify
) -> list[int]:
    keys = {signature_key(line.text, simplify) for line in query.lines[:_EXACT_LINES]}
    keys.add(signature_key(query.text[:2_000], simplify))
    parameters = {**filters, "keys": json.dumps(sorted(keys - {""})), "limit": _EXACT}
    return [pk for pk, _ in connection.execute(engine("exact"), parameters)]


def _by_text(connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None]) -> dict[int, float]:
    parameters = {**filters, "expression": query.expression, "limit": _BY_TEXT}
    return {pk: -rank for pk, rank in connection.execute(engine("propose_by_text"), parameters)}


def _by_signature(connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None]) -> dict[int, float]:
    parameters = {**filters, "expression": query.signature_expression, "limit": _COMPARED}
    return {pk: -rank for pk, rank in connection.execute(engine("propose_by_signature"), parameters)}


def _signatures(connection: sqlite3.Connection, pks: set[int]) -> dict[int, frozenset[str]]:
    rows = connection.execute(engine("signatures"), {"pks": json.dumps(sorted(pks))})
    return {pk: frozenset(f"{english or ''} {chinese or ''}".split()) for pk, english, chinese in rows}


def _counts(connection: sqlite3.Connection, signatures: Mapping[int, frozenset[str]]) -> dict[str, int]:
    asked = sorted(set().union(*signatures.values()))
    rows = connection.execute(engine("known_terms"), {"words": json.dumps(asked)})
    return {word: count for word, _, count in rows}
