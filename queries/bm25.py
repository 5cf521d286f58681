"""BM25 over the weighted columns of an entry, for a few candidates.

The formula and its constants are those of SQLite's FTS5 (sqlite.org/fts5.html, "The bm25() function"), so a candidate
scores here as it would there. FTS5 itself would have to score every entry that holds any of the words, which for
common words is most of the file; here the postings of the rare words have proposed a few dozen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat

from culdesac.queries.cards import Card
from culdesac.queries.glossary import Concept
from culdesac.queries.query import Query

_K1, _B = 1.2, 0.75
#: How much another way to say it counts beside the words themselves.
SYNONYM = 0.8


def bm25(query: Query, card: Card, average: float) -> float:
    """The score of an entry; `average` is how many words an entry of the file has. What is said in several ways
    counts once, by the way that scores best."""
    words = card.words
    norm = _K1 * (1 - _B + _B * card.size / average)

    def gain(word: str) -> float:
        if word not in words:
            return 0.0
        frequency = card.frequency(word)
        return frequency * (_K1 + 1) / (frequency + norm)

    own = {word: weight * gain(word) for word, weight in query.own_terms.items() if word in words}
    score = sum(own.values())
    for concept in query.concepts:
        score += _best(concept, repeat(concept.weight, len(concept.ways)), gain)
    for phrase in query.phrases:
        score += max(
            0.0, SYNONYM * _best(phrase, phrase.masses, gain) - sum(own.get(word, 0.0) for word in phrase.pieces)
        )
    return score


def _best(concept: Concept, masses: Iterable[float], gain: Callable[[str], float]) -> float:
    """The score of the way that scores best; `masses` are what each weighs."""
    ways = zip(concept.ways, masses, strict=True)
    return max((mass * sum(share * gain(word) for word, share in way.items()) for way, mass in ways), default=0.0)
