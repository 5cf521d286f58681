"""BM25 over the weighted columns of an entry, for a few candidates.

The formula and its constants are those of SQLite's FTS5 (sqlite.org/fts5.html, "The bm25() function"), so a candidate
scores here as it would there. FTS5 itself would have to score every entry that holds any of the words, which for
common words is most of the file; here the postings of the rare words have proposed a few dozen.
"""

from __future__ import annotations

from collections.abc import Mapping

from culdesac.queries.cards import Card

_K1, _B = 1.2, 0.75


def bm25(idf: Mapping[str, float], card: Card, average: float) -> float:
    """The score of an entry for the words of `idf`; `average` is how many words an entry of the file has."""
    words = card.words
    norm = _K1 * (1 - _B + _B * card.size / average)
    score = 0.0
    for word, weight in idf.items():
        if word in words:
            frequency = words[word][1]
            score += weight * frequency * (_K1 + 1) / (frequency + norm)
    return score
