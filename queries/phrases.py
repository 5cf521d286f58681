"""The words of everyday English beside those of error texts: what a person says who doesn't know the term.

Two text files beside this module hold it, one phrase a line (docs/glossary.md describes them): synonyms_en.tsv, what a
person says with what an entry says for it; places_en.tsv, places with their countries. Phrases are found in a question
by the stems of its words, stop words left out, with room for a word between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from culdesac.db.text import words
from culdesac.queries.spelling import irregular, stem
from culdesac.queries.sql import FOLDER

#: Words that may stand between those of a phrase.
_BETWEEN = 1
#: Lines are sorted by so many letters. Every stem has as many, or is the whole word.
_BEGINNING = 2


@dataclass(frozen=True, slots=True)
class Phrase:
    """A line of a file: its key, the stems of its words, its renderings, each as words; of a place the country."""

    key: str
    stems: tuple[str, ...]
    ways: list[tuple[str, ...]]
    country: str | None = None


def country_code(code: str | None) -> str | None:
    """A country's two letters in one form: as ISO 3166 has them, lower case, with the usual uk for gb."""
    return {"uk": "gb"}.get(code.lower(), code.lower()) if code else None


@cache
def _lines() -> dict[str, list[str]]:
    """The lines of both files by the beginning of the first word's stem: a question needs few of them."""
    found: dict[str, list[str]] = {}
    forms = irregular()
    for name in ("synonyms_en.tsv", "places_en.tsv"):
        for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
            if line[:1] not in ("", "#"):
                first = line.partition("\t")[0].partition(" ")[0]
                found.setdefault(forms.get(first, first)[:_BEGINNING], []).append(line)
    return found


@cache
def _phrases(beginning: str) -> dict[str, list[Phrase]]:
    found: dict[str, list[Phrase]] = {}
    for line in _lines().get(beginning, ()):
        key, renderings, *country = line.split("\t")
        stems = tuple(stem(word) for word in key.split())
        ways = [tuple(words(text)) for text in renderings.split("; ")]
        found.setdefault(stems[0], []).append(Phrase(key, stems, ways, country[0] if country else None))
    for several in found.values():
        several.sort(key=lambda phrase: -len(phrase.stems))
    return found


def phrases(first: str) -> list[Phrase]:
    """The phrases whose first word has this stem, longer ones first."""
    return _phrases(first[:_BEGINNING]).get(first, [])


@cache
def countries() -> dict[tuple[str, ...], str]:
    """The countries by the words of their places' names."""
    places = (line.split("\t") for line in (FOLDER / "places_en.tsv").read_text(encoding="utf-8").splitlines())
    return {tuple(place[0].split()): place[2] for place in places if len(place) > 2}


def said(asked: Sequence[str], stop_words: Collection[str]) -> list[tuple[Phrase, frozenset[str]]]:
    """The phrases that a question says, each with its own words of the question; no word belongs to two, and longer
    phrases come first."""
    telling = [word for word in asked if word not in stop_words]
    stems = [stem(word) for word in telling]
    hits = [
        (phrase, places)
        for start, first in enumerate(stems)
        for phrase in phrases(first)
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
