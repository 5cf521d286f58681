"""The words of everyday English beside those of error texts: what a person says who doesn't know the term.

`synonyms_en.tsv` beside this module holds them, one phrase a line (docs/glossary.md describes it). Phrases are found
in a question by the stems of its words, stop words left out, with room for a word between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from culdesac.db.text import words
from culdesac.queries.spelling import stem
from culdesac.queries.sql import FOLDER

#: Words that may stand between those of a phrase.
_BETWEEN = 1


@dataclass(frozen=True, slots=True)
class Phrase:
    """A line of the file: its key, the stems of its words, its renderings, each as words."""

    key: str
    stems: tuple[str, ...]
    ways: list[tuple[str, ...]]


@cache
def phrases() -> dict[str, list[Phrase]]:
    """The phrases by their first stem, longer ones first. Read by the first question."""
    found: dict[str, list[Phrase]] = {}
    for line in (FOLDER / "synonyms_en.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, renderings = line.partition("\t")
            stems = tuple(stem(word) for word in key.split())
            phrase = Phrase(key, stems, [tuple(words(text)) for text in renderings.split("; ")])
            found.setdefault(stems[0], []).append(phrase)
    for several in found.values():
        several.sort(key=lambda phrase: -len(phrase.stems))
    return found


def said(asked: Sequence[str], stop_words: Collection[str]) -> list[tuple[Phrase, frozenset[str]]]:
    """The phrases that a question says, each with its own words of the question; no word belongs to two, and longer
    phrases come first."""
    telling = [word for word in asked if word not in stop_words]
    stems = [stem(word) for word in telling]
    known = phrases()
    hits = [
        (phrase, places)
        for start, first in enumerate(stems)
        for phrase in known.get(first, ())
        if (places := _places(phrase.stems, stems, start))
    ]
    hits.sort(key=lambda hit: (-len(hit[1]), hit[1]))
    taken: set[int] = set()
    found = []
    for phrase, places in hits:
        if taken.isdisjoint(places):
            taken.update(places)
            found.append((phrase, frozenset(telling[place] for place in places)))
    return found


def _places(phrase: tuple[str, ...], stems: list[str], start: int) -> tuple[int, ...]:
    """Where a phrase's stems stand in order from `start` on; empty when they don't."""
    places = [start]
    last = start + len(phrase) + _BETWEEN
    for wanted in phrase[1:]:
        for place in range(places[-1] + 1, min(last, len(stems))):
            if stems[place] == wanted:
                places.append(place)
                break
        else:
            return ()
    return tuple(places)
