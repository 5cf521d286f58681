"""BM25 over the weighted columns of an entry, for a few candidates.

The formula and its constants are those of SQLite's FTS5 (sqlite.org/fts5.html, "The bm25() function"), so a candidate
scores here as it would there. FTS5 itself would have to score every entry that holds any of the words, which for
common words is most of the file; here the postings of the rare words have proposed a few dozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_K1, _B = 1.2, 0.75
#: As in db/schema.sql, where they stand in the index for whoever searches it by SQL.
_WEIGHTS = {
    "signature": 10.0,
    "keywords": 3.0,
    "root_cause": 2.0,
    "workarounds": 1.0,
    "dead_ends": 0.5,
    "signature_zh": 9.0,
    "root_cause_zh": 6.0,
    "workarounds_zh": 3.0,
}


class Column(NamedTuple):
    """An entry's indexed words in one column: in order, and as a set."""

    words: list[str]
    distinct: frozenset[str]


def bm25(idf: Mapping[str, float], columns: Mapping[str, Column], average: float) -> float:
    """The score of an entry for the words of `idf`; `average` is how many words an entry of the file has."""
    frequencies: dict[str, float] = {}
    size = 0
    for name, column in columns.items():
        size += len(column.words)
        for word in idf.keys() & column.distinct:
            frequencies[word] = frequencies.get(word, 0.0) + _WEIGHTS[name] * column.words.count(word)
    norm = _K1 * (1 - _B + _B * size / average)
    return sum(idf[word] * count * (_K1 + 1) / (count + norm) for word, count in sorted(frequencies.items()))
