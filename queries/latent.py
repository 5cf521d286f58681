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
from culdesac.queries.sql import engine

#: Vectors of entries and of words that are kept, about 4 kB each.
_KEPT = 5_000
#: The length of an entry's vector in the file.
_UNIT = 32_767

#: The similarity where nothing is known of a query's words: that of first results on average, which speaks neither for
#: them nor against them.
UNKNOWN = 0.55

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

    def near(self, terms: Mapping[str, float]) -> Nearness:
        """What is near a query of these words and weights."""
        found = zip(terms.values(), self._words.get(terms), strict=True)
        weighed = [map(mul, vector, repeat(mass)) for mass, vector in found if vector]
        query = [*map(sum, zip(*weighed, strict=False))]
        return Nearness(query, self._entries)


class Nearness:
    """The similarities of one query and entries."""

    def __init__(self, query: Vector, entries: Kept[int, Vector]) -> None:
        length = math.sqrt(sum(map(mul, query, query))) * _UNIT
        self._query = [part / length for part in query] if length else ()
        self._entries = entries
        self._found: dict[int, float] = {}

    def to(self, pks: Iterable[int]) -> dict[int, float]:
        """The cosine, -1 to 1, between the query and each of these entries; 0 for an entry without a vector, and
        UNKNOWN for all when no word has one."""
        wanted = list(pks)
        if not self._query:
            return dict.fromkeys(wanted, UNKNOWN)
        missing = [pk for pk in wanted if pk not in self._found]
        for pk, vector in zip(missing, self._entries.get(missing), strict=True):
            self._found[pk] = sum(map(mul, self._query, vector))
        return {pk: self._found[pk] for pk in wanted}


def _vector(blob: bytes) -> Vector:
    """A vector as the file has it: 16-bit integers, the lower byte first. Raises TypeError when it isn't."""
    if not isinstance(blob, bytes) or len(blob) % 2:
        raise TypeError("a vector is no row of 16-bit integers")
    found = array("h", blob)
    if sys.byteorder == "big":
        found.byteswap()
    return tuple(map(float, found))  # floats multiply faster than integers
