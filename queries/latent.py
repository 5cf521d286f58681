"""Latent semantic similarity: how near a query and an entry are whose words differ but keep the same company.

The file has a vector for each word and each entry, in a space of a hundred dimensions that ingest made of which words
stand together in entries (latent semantic indexing, Deerwester et al. 1990). A query's vector is the sum of those of
its words by their weights; its similarity to an entry is the cosine of the angle between the two.
"""

from __future__ import annotations

import json
import math
import sqlite3
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from operator import mul

from culdesac.queries.kept import Kept
from culdesac.queries.lines import Line
from culdesac.queries.query import Query
from culdesac.queries.sql import engine
from culdesac.queries.stopwords import STOP_WORDS

#: Vectors of entries and of words that are kept, about 4 kB each.
_KEPT = 5_000
#: The length of an entry's vector in the file.
_UNIT = 32_767

#: The similarity where nothing is known of a query's words: that of first results on average, which speaks neither for
#: them nor against them.
UNKNOWN = 0.55
#: How much of the similarity of a log is that of the line that decides.
_OF_LINE = 0.3

Vector = Sequence[float]


class LatentStore:
    """The vectors of an open file, as they are asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        def entries(pks: list[int]) -> dict[int, Vector]:
            rows = connection.execute(engine("entry_vectors"), {"pks": json.dumps(pks)})
            return {**dict.fromkeys(pks, ()), **{pk: _vector(blob) for pk, blob in rows}}

        def words(missing: list[str]) -> dict[str, Vector]:
            rows = connection.execute(engine("word_vectors"), {"words": json.dumps(missing)})
            return {**dict.fromkeys(missing, ()), **{word: _vector(blob) for word, blob in rows}}

        self._entries = Kept[int, Vector](_KEPT, entries)
        self._words = Kept[str, Vector](_KEPT, words)

    def near(self, query: Query) -> Nearness:
        """What is near a query."""
        return Nearness(query, self._words, self._entries)


class Nearness:
    """The similarities of one query and entries."""

    def __init__(self, query: Query, words: Kept[str, Vector], entries: Kept[int, Vector]) -> None:
        self._query = query
        self._words = words
        self._entries = entries
        # What Chinese words mean says which entries are about it, and nothing of the company that words keep.
        self._whole = self._sum({} if query.concepts else query.own_terms)
        self._lines: dict[int, Vector] = {}
        self._found: dict[int, float] = {}

    def to(self, pks: Iterable[int]) -> dict[int, float]:
        """The cosine, -1 to 1, between the query and each of these entries; 0 for an entry without a vector, and
        UNKNOWN for all when no word has one."""
        wanted = list(pks)
        missing = [pk for pk in wanted if pk not in self._found]
        for pk, entry in zip(missing, self._entries.get(missing), strict=True):
            self._found[pk] = _cosine(self._whole, entry)
        return {pk: self._found[pk] for pk in wanted}

    def by_line(self, pk: int, line: Line | None) -> float:
        """The same for one entry; of a log a part of it is that of a line, for other lines may be about other things."""
        (whole,) = self.to([pk]).values()
        if line is None or self._query.prose or len(self._query.lines) == 1:
            return whole
        if line.number not in self._lines:
            weights = self._query.weights
            told = {word: weights[word] for word in line.words if word in weights and word not in STOP_WORDS}
            self._lines[line.number] = self._sum(told)
        (entry,) = self._entries.get([pk])
        return (1 - _OF_LINE) * whole + _OF_LINE * _cosine(self._lines[line.number], entry)

    def _sum(self, terms: Mapping[str, float]) -> Vector:
        """The sum of the words' vectors by their weights, as long as makes a product with an entry's a cosine."""
        found = zip(terms.values(), self._words.get(terms), strict=True)
        weighed = [map(mul, vector, repeat(mass)) for mass, vector in found if vector]
        total = [*map(sum, zip(*weighed, strict=False))]
        length = math.sqrt(sum(map(mul, total, total))) * _UNIT
        return [part / length for part in total] if length else ()


def _cosine(query: Vector, entry: Vector) -> float:
    return sum(map(mul, query, entry)) if query else UNKNOWN


def _vector(blob: bytes) -> Vector:
    """A vector as the file has it: 16-bit integers, the lower byte first. Raises TypeError when it isn't."""
    if not isinstance(blob, bytes) or len(blob) % 2:
        raise TypeError("a vector is no row of 16-bit integers")
    found = array("h", blob)
    if sys.byteorder == "big":
        found.byteswap()
    return tuple(map(float, found))  # floats multiply faster than integers
