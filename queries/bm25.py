"""BM25 over the weighted columns of an entry, for a few candidates.

The formula and its constants are those of SQLite's FTS5 (sqlite.org/fts5.html, "The bm25() function"), so a candidate
scores here as it would there. FTS5 itself would have to score every entry that holds any of the words, which for
common words is most of the file; here the postings of the rare words have proposed a few dozen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    words, frequency = card.words, card.frequency
    norm = _K1 * (1 - _B + _B * card.size / average)

    def gain(word: str) -> float:
        count = frequency(word)
        return count * (_K1 + 1) / (count + norm)

    own = {word: weight * gain(word) for word, weight in query.own_terms.items() if word in words}
    score = sum(own.values())
    there = query.spoken & words.keys()
    if not there:
        return score
    gains = {word: gain(word) for word in there}
    for concept in query.concepts:
        score += _best(concept, repeat(concept.weight, len(concept.ways)), gains)
    for phrase in query.phrases:
        if not phrase.words.isdisjoint(there):
            already = sum(own.get(word, 0.0) for word in phrase.pieces)
            score += max(0.0, SYNONYM * _best(phrase, phrase.masses, gains) - already)
    return score


def _best(concept: Concept, masses: Iterable[float], gains: Mapping[str, float]) -> float:
    """The score of the way that scores best; `masses` are what each weighs."""
    best = 0.0
    for way, mass in zip(concept.ways, masses, strict=True):
        held = 0.0
        for word, share in way.items():
            if word in gains:
                held += share * gains[word]
        best = max(best, mass * held)
    return best
