"""Comparing the lines of a log with signatures: which line holds how much of which message.

A signature's weight is that of its words, by how rare they are among signatures; a line's likewise, over the words
that any signature has. The agreement of a line and a signature is the geometric mean of the share of the signature
that the line holds, the share of the line that the signature explains, and the weight they have in common.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from culdesac.queries.cards import Card
from culdesac.queries.lines import Line
from culdesac.queries.query import Query, weight
from culdesac.queries.sql import engine
from culdesac.queries.terms import Terms

#: Signatures that are kept for the next query; a thousand take about a megabyte.
_KEPT = 20_000


class Signature(NamedTuple):
    """A signature's words, in both languages, and their summed weight."""

    words: frozenset[str]
    weight: float


class SignatureStore:
    """The signatures of an open file, as they are asked for."""

    def __init__(self, connection: sqlite3.Connection, terms: Terms, entries: int) -> None:
        self._connection = connection
        self._terms = terms
        self._entries = entries
        self._signatures: dict[int, Signature] = {}
        self._weights: dict[str, float] = {}

    def get(self, pks: Iterable[int]) -> dict[int, Signature]:
        """The signatures of these entries."""
        wanted = list(pks)
        missing = [pk for pk in wanted if pk not in self._signatures]
        if missing:
            rows = self._connection.execute(engine("signatures"), {"pks": json.dumps(missing)})
            self._keep({pk: frozenset(f"{english or ''} {chinese or ''}".split()) for pk, english, chinese in rows})
        return {pk: self._signatures[pk] for pk in wanted if pk in self._signatures}

    def of(self, cards: Iterable[Card]) -> list[Signature]:
        """The signatures of entries whose cards were read, in order."""
        wanted = list(cards)
        self._keep({card.pk: card.signature for card in wanted if card.pk not in self._signatures})
        return [self._signatures[card.pk] for card in wanted]

    def trim(self) -> None:
        """Forget all when too much is kept. Between two searches, since one counts on what it has read."""
        if len(self._signatures) > _KEPT:
            self._signatures.clear()
            self._weights.clear()

    def _keep(self, found: Mapping[int, frozenset[str]]) -> None:
        unknown = {word for words in found.values() for word in words if word not in self._weights}
        for word, term in self._terms.look(sorted(unknown)).items() if unknown else ():
            self._weights[word] = weight(term.signatures, self._entries)
        for pk, words in found.items():
            self._signatures[pk] = Signature(words, sum(self._weights.get(word, 0.0) for word in words))


@dataclass(frozen=True, slots=True)
class Match:
    """The line that agrees best with a signature. `covered` is the share of the signature that it holds."""

    line: Line | None
    agreement: float
    covered: float


#: How much the agreement with a line counts that only wraps an error, in a text with other lines.
WRAPPER = 0.5
_NONE = Match(None, 0.0, 0.0)


class Lines:
    """The lines of one query by the signature words that they hold."""

    def __init__(self, query: Query) -> None:
        self._lines = query.lines
        self._several = len(query.lines) > 1
        self._weights = {word: weight(count, query.size) for word, count in query.signatures.items()}
        self._holding: dict[str, list[int]] = {}
        self._masses: list[float] = []
        self._worths: dict[int, float] = {}
        for number, line in enumerate(query.lines):
            known = self._weights.keys() & set(line.words)
            for word in known:
                self._holding.setdefault(word, []).append(number)
            self._masses.append(sum(self._weights[word] for word in known))

    def match(self, signature: Signature) -> Match:
        """The best line for a signature."""
        shared: dict[int, float] = {}
        for word in self._holding.keys() & signature.words:
            mass = self._weights[word]
            for number in self._holding[word]:
                shared[number] = shared.get(number, 0.0) + mass
        if not shared:
            return _NONE
        # Of one signature's agreements only mass³ / the line's own mass differs; ties go to the earlier line.
        number = max(shared, key=lambda number: (self._worth(number) * shared[number] ** 3, -number))
        mass = shared[number]
        covered, explained = mass / signature.weight, mass / self._masses[number]
        line = self._lines[number]
        agreement = self._share(number) * math.sqrt(covered * explained * mass)
        return Match(line, agreement, covered)

    def _share(self, number: int) -> float:
        return WRAPPER if self._several and self._lines[number].wraps else 1.0

    def _worth(self, number: int) -> float:
        worth = self._worths.get(number)
        if worth is None:
            worth = self._worths[number] = self._share(number) ** 2 / self._masses[number]
        return worth
