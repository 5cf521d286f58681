"""The Chinese of a query, which is written without blanks: cut into the words that the index has and those of the
glossary. So no segmenter is loaded to search."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from culdesac.db.text import HAN, words
from culdesac.queries.expand import Saying
from culdesac.queries.glossary import Glossary, Span
from culdesac.queries.phrases import countries
from culdesac.queries.sql import engine
from culdesac.queries.stopwords import STOP_WORDS
from culdesac.queries.terms import Terms

HAN_RUN = re.compile(f"[{HAN}]+")
_LONGEST_WORD = 6
#: Characters of a run that are read: nothing Chinese is longer without a mark.
_LONGEST_RUN = 1_000
#: Pieces that are looked up at all.
_MOST_PIECES = 40_000


def read_folds(connection: sqlite3.Connection) -> dict[int, int]:
    """The file's own table of characters that the index writes otherwise, for `str.translate`."""
    return {ord(source): ord(target) for source, target in connection.execute(engine("folds"))}


class Chinese:
    """Reads the runs of Chinese of one query, and remembers which words of the glossary they say."""

    def __init__(self, terms: Terms, glossary: Glossary, lines: Iterable[str], taiwan: Mapping[str, str]) -> None:
        """`lines` are all of the query's, folded: the index is asked once for every piece that may be a word. `taiwan`
        are the mainland's words in them for words of Taiwan, which count as well."""
        new = {word: (word,) for word in taiwan if word not in glossary.renderings and word not in glossary.synonyms}
        self._glossary = replace(glossary, synonyms={**glossary.synonyms, **new}) if new else glossary
        self._taiwan = taiwan
        #: Each word that is said, with the words of the index that stand inside it.
        self._said: dict[str, set[str]] = {}
        pieces = {
            piece for line in [*lines, *taiwan.values()] for run in HAN_RUN.findall(line) for piece in _pieces(run)
        }
        self._vocabulary = frozenset(terms.look(sorted(pieces)[:_MOST_PIECES])) if pieces else frozenset()

    def sayings(self) -> list[Saying]:
        """The words of the glossary that were said, with how English text says them, and Taiwan's words."""
        found = []
        for word, own in self._said.items():
            ways = [tuple(words(text)) for text in self._glossary.ways(word)]
            place = any(way in countries() for way in ways)
            found.append(Saying(word, frozenset(own), [*ways, *self._as_typed(word)], place))
        return found

    def _as_typed(self, word: str) -> list[tuple[str, ...]]:
        """A word as it stood in the question, in words of the index, if that was in words of Taiwan."""
        typed = word
        for said, taiwan in self._taiwan.items():
            typed = typed.replace(said, taiwan)
        found: list[str] = []
        while typed != word and (rest := typed[sum(map(len, found)) :]):
            sizes = range(min(_LONGEST_WORD, len(rest)), 0, -1)
            piece = next((rest[:size] for size in sizes if rest[:size] in self._vocabulary), "")
            if not piece:
                return []
            found.append(piece)
        return [tuple(found)] if found else []

    def words(self, run: str) -> list[str]:
        """The words of the index that stand in a run, longer ones first. Words that say nothing are passed over.

        Where the index's words don't cover a word of the glossary, what they do cover is an accident (时 of 时区): the
        glossary's word stands for it, which nobody knows by itself. A single character counts where it stands alone;
        several in a row that nothing covers are a word that nobody knows.
        """
        run = run[:_LONGEST_RUN]
        spans = self._glossary.spans(run)
        covered = [False] * len(run)
        found = self._known(run, spans, covered)
        for span in spans:
            if not self._glossary.says_nothing(span.word):
                self._say(span, found, covered)
        return [*found.values(), *_left(run, covered)]

    def _known(self, run: str, spans: Sequence[Span], covered: list[bool]) -> dict[tuple[int, int], str]:
        """The words of the index by their place; marks as covered what they and words that say nothing cover."""
        inside: list[Span | None] = [None] * len(run)
        for span in spans:
            inside[span.start : span.end] = [span] * len(span.word)
        found: dict[tuple[int, int], str] = {}
        for size in range(min(_LONGEST_WORD, len(run)), 0, -1):
            for start in range(len(run) - size + 1):
                piece = run[start : start + size]
                first, last = inside[start], inside[start + size - 1]
                if size == 1 and (covered[start] or not (first or piece in STOP_WORDS)):
                    continue
                if piece in STOP_WORDS or (first and first is last and self._glossary.says_nothing(first.word)):
                    covered[start : start + size] = [True] * size
                elif piece in self._vocabulary and not _crosses(start, start + size, first, last):
                    found[start, start + size] = piece
                    covered[start : start + size] = [True] * size
        return found

    def _say(self, span: Span, found: dict[tuple[int, int], str], covered: list[bool]) -> None:
        """Note that a word of the glossary is said: by the index's words inside it, or where those don't cover it by
        itself."""
        within = [place for place in found if span.start <= place[0] and place[1] <= span.end]
        own = self._said.setdefault(span.word, set())
        if within and all(covered[span.start : span.end]):
            own.update(found[place] for place in within)
        else:
            for place in within:
                del found[place]
            found[span.start, span.end] = span.word
        covered[span.start : span.end] = [True] * len(span.word)


def _pieces(run: str) -> set[str]:
    run = run[:_LONGEST_RUN]
    sizes = range(1, min(_LONGEST_WORD, len(run)) + 1)
    return {run[start : start + size] for size in sizes for start in range(len(run) - size + 1)}


def _left(run: str, covered: list[bool]) -> list[str]:
    """What nothing covers, as words."""
    rest = "".join(" " if hidden else character for character, hidden in zip(run, covered, strict=True))
    return rest.split()


def _crosses(start: int, end: int, first: Span | None, last: Span | None) -> bool:
    """Whether a piece of a run holds part of a word and more: 行文 in 可执行文件 is an accident."""
    if first is last:
        return False
    return bool((first and first.start < start) or (last and last.end > end))
