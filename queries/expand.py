"""Other words for the words of a question: other inflections, and the word that was meant by a misspelt one.

Only questions and keywords are expanded. A log is what a program printed, and there another form of a word is another
word. The index says which forms exist, so nothing here has a dictionary.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping

from culdesac.db.text import words
from culdesac.queries.glossary import Concept, glossary
from culdesac.queries.sql import engine

#: Words shorter than this are too like each other to guess between; longer ones are rarely typed.
_SHORTEST, _LONGEST = 5, 24
#: So many unknown words are looked for in other spellings, so many forms are added to a word.
_MOST_UNKNOWN, _MOST_FORMS = 6, 4
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ion")


def inflections(word: str) -> set[str]:
    """Forms that an English word may also have: of `retries` retry, retried, retrying and some that are no words."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return set()
    stems = {word}
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            stems |= {stem, f"{stem}e"}
            if len(stem) > 3 and stem[-1] == stem[-2]:
                stems.add(stem[:-1])
    for ending in ("ies", "ied"):
        if word.endswith(ending) and len(word) > 4:
            stems.add(f"{word[:-3]}y")
    forms = set(stems)
    for stem in stems:
        forms |= {stem + ending for ending in _ENDINGS}
        if stem.endswith("e"):
            forms |= {f"{stem[:-1]}ing", f"{stem}d"}
        if stem.endswith("y"):
            forms |= {f"{stem[:-1]}ies", f"{stem[:-1]}ied"}
    return forms - {word}


def edits(word: str) -> Iterator[str]:
    """Every spelling one edit away: a letter left out, doubled or added, replaced, or two neighbours swapped."""
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)


def expansions(
    connection: sqlite3.Connection, known: Iterable[str], unknown: Iterable[str]
) -> dict[str, dict[str, int]]:
    """For each word the commonest other terms of the index that stand for it, with in how many entries they are."""
    asked = [(word, form) for word in known for form in sorted(inflections(word))]
    guessed = [
        word for word in sorted(unknown) if _SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()
    ]
    for word in guessed[:_MOST_UNKNOWN]:
        asked += [(word, form) for form in sorted({*edits(word), *inflections(word)})]
    found: dict[str, dict[str, int]] = {}
    for word, term, count in connection.execute(engine("similar_terms"), {"words": json.dumps(asked)}):
        found.setdefault(word, {})[term] = count
    return {
        word: dict(sorted(terms.items(), key=lambda item: (-item[1], item[0]))[:_MOST_FORMS])
        for word, terms in found.items()
    }


def concepts(
    connection: sqlite3.Connection, said: Mapping[str, Iterable[str]], idf: Callable[[int], float]
) -> tuple[Concept, ...]:
    """What the glossary's words of a question mean, in words that the index has.

    `said` gives for each word the words of the index that stand inside it, `idf` the weight of a word that so many
    entries hold. A way of saying it that has a word which no entry holds is left out, and so is what no way is left
    for.
    """
    ways = {word: [tuple(words(text)) for text in glossary().ways(word)] for word in said}
    asked = {part for own in said.values() for part in own}
    asked.update(part for found in ways.values() for way in found for part in way)
    rows = connection.execute(engine("known_terms"), {"words": json.dumps(sorted(asked))})
    counts = {term: count for term, count, _ in rows}
    found = (_concept(word, frozenset(own), ways[word], counts, idf) for word, own in said.items())
    return tuple(concept for concept in found if concept.ways)


def _concept(
    word: str,
    own: frozenset[str],
    ways: list[tuple[str, ...]],
    counts: Mapping[str, int],
    idf: Callable[[int], float],
) -> Concept:
    shares: list[dict[str, float]] = []
    holders = 0
    for way in [tuple(sorted(own)), *ways]:
        if not way or any(part not in counts for part in way):
            continue
        masses = {part: idf(counts[part]) for part in way}
        whole = sum(masses.values()) or 1.0
        shares.append({part: mass / whole for part, mass in masses.items()})
        # Words that stand together are rarer than the rarest of them: by how much isn't known, half is a guess.
        rarest = min(counts[part] for part in way)
        holders = max(holders, rarest if len(way) == 1 else (rarest + 1) // 2)
    return Concept(word, own, tuple(shares), idf(holders))
