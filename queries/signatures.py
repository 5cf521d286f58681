"""Comparing the lines of a log with signatures: which line holds how much of which message.

A signature's weight is that of its words, by how rare they are among signatures; a line's likewise, over the words
that any signature has. The agreement of a line and a signature is the geometric mean of the share of the signature
that the line holds, the share of the line that the signature explains, and the weight they have in common.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from culdesac.queries.query import Line, Query, weight


@dataclass(frozen=True, slots=True)
class Match:
    """The line that agrees best with a signature. `covered` and `explained` are shares of 1."""

    line: Line | None
    agreement: float
    covered: float
    explained: float


_NONE = Match(None, 0.0, 0.0, 0.0)


class Signatures:
    """The weights of signature words, and the lines of one query that hold them."""

    def __init__(self, query: Query, counts: Mapping[str, int]) -> None:
        """`counts`: in how many signatures each word stands, for the words of the candidates' signatures."""
        self._query = query
        self._weights = {word: weight(count, query.size) for word, count in {**counts, **query.signatures}.items()}
        self._lines: dict[str, list[int]] = {}
        self._masses: list[float] = []
        for number, line in enumerate(query.lines):
            known = {word for word in line.words if word in query.signatures}
            for word in known:
                self._lines.setdefault(word, []).append(number)
            self._masses.append(sum(self._weights[word] for word in known))

    def match(self, signature: frozenset[str]) -> Match:
        """The best line for a signature."""
        total = sum(self._weights.get(word, 0.0) for word in signature)
        shared: dict[int, float] = {}
        for word in signature:
            for number in self._lines.get(word, ()):
                shared[number] = shared.get(number, 0.0) + self._weights[word]
        best = _NONE
        for number, mass in shared.items():
            covered, explained = mass / total, mass / self._masses[number]
            agreement = math.sqrt(covered * explained * mass)
            if agreement > best.agreement:
                best = Match(self._query.lines[number], agreement, covered, explained)
        return best
