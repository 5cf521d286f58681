"""The words of Chinese engineers beside those of English text: what a question says, and every way an entry may say it.

Two text files beside this module hold the vocabulary, one line a word (docs/glossary.md describes them):
glossary_zh_en.tsv, Chinese words with their English renderings; synonyms_zh.tsv, Chinese words for one thing. Words of
Taiwan and Hong Kong come from db/words_tw.tsv. They are read once, by the first question that holds Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from culdesac.db.text import HAN, fold
from culdesac.db.words_tw import words_tw
from culdesac.queries.sql import FOLDER

#: Gives the table of characters that the index writes otherwise.
Simplify = Callable[[], Mapping[int, int]]
#: Stands instead of renderings for a word that says nothing about an error.
NOTHING = "-"
#: Chinese characters of a run that are compared with the glossary.
_MOST_CHARACTERS = 200
#: How much a translation counts beside the word itself.
_SURE = 0.9
#: A word of a way with a smaller share of it isn't asked for by itself: `of` in `out of memory`.
_ASKED = 0.25
_HAN_RUN = re.compile(f"[{HAN}]+")


class Span(NamedTuple):
    """A word of the glossary in a run of Chinese: half-open."""

    start: int
    end: int
    word: str


@dataclass(frozen=True)
class Concept:
    """What a Chinese word of a question means.

    `pieces`: the words of the index that stand inside it; `ways`: the words of the index that together say it, each
    way with the share of each word in it; `weight`: how much it tells, by how many entries say it;
    `masses`: the same for each way; `place`: whether it says where and not what.
    """

    word: str
    pieces: frozenset[str]
    ways: tuple[dict[str, float], ...]
    weight: float
    masses: tuple[float, ...] = ()
    place: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all its ways."""
        return frozenset(word for way in self.ways for word in way)

    @cached_property
    def terms(self) -> dict[str, float]:
        """What to ask the index for, with weights: the words of each way share the concept's."""
        found: dict[str, float] = {}
        for way in self.ways:
            for word, share in way.items():
                if share >= _ASKED:
                    found[word] = max(found.get(word, 0.0), self.weight * share)
        return found

    @cached_property
    def _single(self) -> frozenset[str]:
        return frozenset(word for way in self.ways for word in way if len(way) == 1)

    def held(self, words: frozenset[str]) -> float:
        """How much of it, from 0 to 1, a text with these words says: by its best way, and less than the share of the
        words that are there when others are missing."""
        if self.pieces and self.pieces <= words:
            return 1.0
        if self._single & words:
            return _SURE
        several = (way.items() for way in self.ways if len(way) > 1)
        shares = (sum(share for word, share in way if word in words) for way in several)
        return _SURE * max(shares, default=0.0) ** 2


class Said:
    """How much of each concept an entry has said, column after column."""

    def __init__(self, concepts: tuple[Concept, ...], spoken: frozenset[str]) -> None:
        """`spoken` are the words of all the concepts."""
        self._concepts = concepts
        self._spoken = spoken
        self._words = [frozenset[str]()] * len(concepts)
        self._shares = [0.0] * len(concepts)

    def gain(self, words: frozenset[str]) -> float:
        """The weight of what these words say and no column said before."""
        gained = 0.0
        new = words & self._spoken
        for number, concept in enumerate(self._concepts if new else ()):
            found = self._words[number] | (concept.words & new)
            if len(found) > len(self._words[number]):
                self._words[number] = found
                share = concept.held(found)
                gained += concept.weight * (share - self._shares[number])
                self._shares[number] = share
        return gained


@dataclass(frozen=True)
class Glossary:
    """The words by their folded form: renderings as they stand in the file, and the synonyms of each word."""

    renderings: Mapping[str, str]
    synonyms: Mapping[str, tuple[str, ...]]
    longest: int

    def spans(self, run: str) -> list[Span]:
        """The words that cover a folded run best: as many characters in words as long as can be, in order."""
        run = run[:_MOST_CHARACTERS]
        best: list[tuple[float, Span | None]] = [(0.0, None)]
        for end in range(1, len(run) + 1):
            choice: tuple[float, Span | None] = (best[end - 1][0], None)
            for start in range(max(0, end - self.longest), end):
                word = run[start:end]
                if word in self.renderings or word in self.synonyms:
                    score = best[start][0] + len(word) ** 1.6
                    if score >= choice[0]:
                        choice = (score, Span(start, end, word))
            best.append(choice)
        found = []
        end = len(run)
        while end:
            span = best[end][1]
            if span:
                found.append(span)
            end = span.start if span else end - 1
        return found[::-1]

    def says_nothing(self, word: str) -> bool:
        """Whether it is a word of questions that says nothing about an error."""
        return self.renderings.get(word) == NOTHING

    def starts(self, word: str) -> list[str]:
        """The words that a word is a closer one of, the longest first: 磁盘空间 and 磁盘 of 磁盘空间不足. What follows
        them is a word, too, so of two characters or more: 数据库 is no kind of 数据."""
        found: list[str] = []
        while start := next(filter(self._telling, (word[:size] for size in range(len(word) - 2, 1, -1))), None):
            found.append(start)
            word = start
        return found

    def parts(self, word: str) -> list[str]:
        """The words inside a longer one: 端口 and 被占用 of 端口被占用."""
        inner = [span.word for rest in (word[:-1], word[1:]) for span in self.spans(rest)]
        return [part for part in dict.fromkeys(inner) if len(part) > 1 and self._telling(part)]

    def _telling(self, word: str) -> bool:
        return (word in self.renderings or word in self.synonyms) and not self.says_nothing(word)

    def ways(self, word: str) -> list[str]:
        """The English renderings of a word and of its synonyms, then the synonyms, without the word."""
        same = self.synonyms.get(word, ())
        english = [text for key in (word, *same) for text in self.renderings.get(key, "").split("; ") if text]
        return [*dict.fromkeys(english), *(key for key in same if key != word)]


#: For a text that isn't compared with any.
NO_GLOSSARY = Glossary({}, {}, 0)


@cache
def glossary() -> Glossary:
    """The shipped glossary, read on first use."""
    renderings = dict(_pairs("glossary_zh_en.tsv"))
    synonyms: dict[str, tuple[str, ...]] = {}
    for word, others in _pairs("synonyms_zh.tsv"):
        group = (word, *others.split("; "))
        synonyms.update(dict.fromkeys(group, group))
    longest = max(map(len, [*renderings, *synonyms]), default=0)
    return Glossary(renderings, synonyms, longest)


@cache
def _taiwan() -> re.Pattern[str]:
    """Finds the words of Taiwan and Hong Kong, the longest at each place."""
    return re.compile("|".join(map(re.escape, sorted(words_tw(), key=len, reverse=True))))


def mainland(text: str, simplify: Mapping[int, int], replaced: dict[str, str] | None = None) -> str:
    """A line with the words of Taiwan and Hong Kong replaced, if it holds traditional characters; else as it is.

    `replaced` gets each word put in, with the one that stood there, folded: an entry may have that.
    """
    if text.isascii() or not any(ord(letter) in simplify for run in _HAN_RUN.findall(text) for letter in run):
        return text

    def put(found: re.Match[str]) -> str:
        word = words_tw()[found[0]]
        if replaced is not None:
            replaced[word] = fold(found[0], lambda: simplify)
        return word

    return _taiwan().sub(put, text)


def _pairs(name: str) -> list[tuple[str, str]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("\t") for line in lines if line and line[0] != "#")
    return [(word, rest) for word, _, rest in pairs]
