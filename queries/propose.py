"""The index proposes: a few dozen entries that may be the error, from three sides.

By the exact signature of a line; by all the text of an entry; and, for a log, by signatures alone, of which those that
agree best with one of its lines are kept. How many documents a search may look at is bounded by choosing its terms by
how many documents hold them, so that a large file is not slower than a small one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from culdesac.db.text import signature_key
from culdesac.queries.glossary import Simplify
from culdesac.queries.latent import Nearness
from culdesac.queries.postings import Postings
from culdesac.queries.query import Query, weight
from culdesac.queries.signatures import Lines, SignatureStore
from culdesac.queries.sql import engine

#: How many entries each side may propose; `_COMPARED` signatures are compared with the lines to find the best.
_BY_TEXT_OF_LOG, _SHARING, _COMPARED, _BY_SIGNATURE, _EXACT = 14, 160, 25, 8, 20
_BY_NAME = 20
#: Of the entries that share the most with a question so many are compared by latent similarity, and so many propose.
_SHARING_TEXT, _BY_TEXT = 60, 20
#: A name is looked for only when one of its words is in no more entries: words in a row take as long to find as the
#: rarest of them has postings.
_RARE = 5_000
_EXACT_LINES = 2_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the index says of a candidate: whether a line is its signature word for word, whether it was its text alone
    that proposed it, and the share of the query's names that it has, by weight."""

    exact: bool
    by_text: bool
    names: float


class Proposer:
    """Proposes from an open file."""

    def __init__(self, connection: sqlite3.Connection, signatures: SignatureStore) -> None:
        self._connection = connection
        self._signatures = signatures
        self._postings = Postings(connection)

    def propose(
        self, query: Query, filters: Mapping[str, str | None], lines: Lines, nearness: Nearness, simplify: Simplify
    ) -> dict[int, Proposal]:
        """The candidates by pk. `filters` binds a parameter for each field of Filters."""
        self._postings.trim()
        self._signatures.trim()
        exact = _exact(self._connection, query, filters, simplify)
        named = self._by_name(query, filters)
        texts = [*self._by_text(query, filters, nearness), *most(named, _BY_NAME)]
        compared = [] if query.prose else self._by_signature(query, filters)
        matches = {pk: lines.match(signature).agreement for pk, signature in self._signatures.get(compared).items()}
        sure = dict.fromkeys([*exact, *most(matches, _BY_SIGNATURE)])
        return {
            pk: Proposal(pk in exact, pk not in sure, named.get(pk, 0.0)) for pk in {**sure, **dict.fromkeys(texts)}
        }

    def _by_name(self, query: Query, filters: Mapping[str, str | None]) -> dict[int, float]:
        """The entries that hold a name of the query, all its words in a row, with their share of all the names."""
        rare = [name for name in query.names if min(query.counts.get(word, 0) for word in name) <= _RARE]
        found = [self._postings.by_text(" ".join(name), filters) for name in rare]
        weighed = [(pks, weight(len(pks), query.size)) for pks in found if pks]
        whole = sum(mass for _, mass in weighed)
        return {pk: mass / whole for pk, mass in _shared(weighed).items()} if whole else {}

    def shared(self, query: Query, filters: Mapping[str, str | None]) -> dict[int, float]:
        """The weight of the query's rarer words that each entry holds anywhere, for entries that hold any. Of a word
        that very many hold, only the best documented are looked at."""
        return _shared((self._postings.by_text(term, filters), mass) for term, mass in query.text_terms.items())

    def _by_text(self, query: Query, filters: Mapping[str, str | None], nearness: Nearness) -> list[int]:
        shared = self.shared(query, filters)
        if not query.prose:
            return most(shared, _BY_TEXT_OF_LOG)
        sharing = most(shared, _SHARING_TEXT)
        if query.concepts or not sharing:
            return sharing  # nothing is known of how near they are
        near = {pk: shared[pk] / shared[sharing[0]] + similarity for pk, similarity in nearness.to(sharing).items()}
        return most(near, _BY_TEXT)

    def _by_signature(self, query: Query, filters: Mapping[str, str | None]) -> list[int]:
        """The entries whose signatures share the most weight with the query, all its lines together."""
        words = {word: query.signatures[word] for word in query.signature_words}
        weights = [weight(count, query.size) for count in words.values()]
        shared = _shared(zip(self._postings.by_signature(words, filters), weights, strict=True))
        heaviest = most(shared, _SHARING)
        # A short signature found whole says more than a part of a long one.
        wholes = {pk: shared[pk] ** 2 / one.weight for pk, one in self._signatures.get(heaviest).items()}
        return most(wholes, _COMPARED)


def _exact(
    connection: sqlite3.Connection, query: Query, filters: Mapping[str, str | None], simplify: Simplify
) -> list[int]:
    keys = {signature_key(line.text, simplify) for line in query.lines[:_EXACT_LINES]}
    keys.add(signature_key(query.text[:2_000], simplify))
    parameters = {**filters, "keys": json.dumps(sorted(keys - {""})), "limit": _EXACT}
    return [pk for pk, _ in connection.execute(engine("exact"), parameters)]


def _shared(postings: Iterable[tuple[Sequence[int], float]]) -> dict[int, float]:
    """The weight that each entry shares, given the postings of each word and its weight."""
    shared: dict[int, float] = {}
    get = shared.get
    for pks, mass in postings:
        for pk in pks:
            shared[pk] = get(pk, 0.0) + mass
    return shared


def most(values: Mapping[int, float], count: int) -> list[int]:
    """The entries with the greatest values, the better documented one first where two have the same."""
    if len(values) > count:
        least = sorted(values.values(), reverse=True)[count - 1]
        values = {pk: value for pk, value in values.items() if value >= least}
    return sorted(sorted(values), key=values.__getitem__, reverse=True)[:count]
