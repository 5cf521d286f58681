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
from culdesac.queries.query import MOST_POSTINGS, Query, Simplify, weight
from culdesac.queries.signatures import Lines, Match, SignatureStore
from culdesac.queries.sql import engine

#: How many entries each side may propose; `_COMPARED` signatures are compared with the lines to find the best.
_BY_TEXT, _BY_TEXT_OF_LOG, _COMPARED, _BY_SIGNATURE, _EXACT = 30, 14, 80, 10, 20
_EXACT_LINES = 2_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the index says of a candidate: its signature's best line, whether a line is its signature word for word,
    and whether it was its text alone that proposed it."""

    match: Match
    exact: bool
    by_text: bool


def propose(
    connection: sqlite3.Connection,
    query: Query,
    filters: Mapping[str, str | None],
    store: SignatureStore,
    simplify: Simplify,
) -> dict[int, Proposal]:
    """The candidates by pk. `filters` binds :domain, :os and :package."""
    exact = _exact(connection, query, filters, simplify)
    texts = _by_text(connection, query, filters)
    compared = [] if query.prose else _by_signature(connection, query, filters)
    lines = Lines(query)
    matches = {pk: lines.match(signature) for pk, signature in store.get({*exact, *texts, *compared}).items()}
    best = sorted(compared, key=lambda pk: (-matches[pk].agreement, pk))[:_BY_SIGNATURE]
    sure = dict.fromkeys([*exact, *best])
    return {pk: Proposal(matches[pk], pk in exact, pk not in sure) for pk in {**sure, **dict.fromkeys(texts)}}


def _exact(
    connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None], simplify: Simplify
) -> list[int]:
    keys = {signature_key(line.text, simplify) for line in query.lines[:_EXACT_LINES]}
    keys.add(signature_key(query.text[:2_000], simplify))
    parameters = {**filters, "keys": json.dumps(sorted(keys - {""})), "limit": _EXACT}
    return [pk for pk, _ in connection.execute(engine("exact"), parameters)]


def _by_text(connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None]) -> list[int]:
    """The entries that hold the most weight of the query's rarer words anywhere."""
    shared: dict[int, float] = {}
    for term, mass in query.text_terms.items():
        parameters: dict[str, object] = {"term": f'"{term}"', "limit": MOST_POSTINGS}
        for (pk,) in connection.execute(*_statement("propose_by_text", parameters, filters)):
            shared[pk] = shared.get(pk, 0.0) + mass
    most = _BY_TEXT if query.prose else _BY_TEXT_OF_LOG
    return _heaviest(shared, most)


def _by_signature(connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None]) -> list[int]:
    """The entries whose signatures share the most weight with the query, all its lines together."""
    words = query.signature_words
    weights = [weight(query.signatures[word], query.size) for word in words]
    shared: dict[int, float] = {}
    for number, pk in connection.execute(*_statement("propose_by_signature", {"words": json.dumps(words)}, filters)):
        shared[pk] = shared.get(pk, 0.0) + weights[number]
    return _heaviest(shared, _COMPARED)


def _heaviest(shared: Mapping[int, float], most: int) -> list[int]:
    """The entries that share the most weight, the better documented one first where two share as much."""
    return sorted(sorted(shared), key=shared.__getitem__, reverse=True)[:most]


def _statement(
    name: str, parameters: dict[str, object], filters: Mapping[str, str | None]
) -> tuple[str, dict[str, object]]:
    """A proposal's SQL: the one that reads entries only where a filter asks for it."""
    if any(filters.values()):
        return engine(f"{name}_filtered"), {**parameters, **filters}
    return engine(name), parameters
