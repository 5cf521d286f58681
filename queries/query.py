"""Reading a query: whatever a person pastes, as lines of folded words with how rare each of them is.

Which words are worth asking for is decided by the index: it says how many entries hold a word, and it cuts Chinese,
which is written without blanks, into the words that it has. So no segmenter is loaded to search.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from culdesac.db.text import HAN, fold, identifier_parts, words
from culdesac.queries.sql import engine

#: A longer query is cut to its first and last half of this many characters: an error stands at either end of a log.
MOST_CHARACTERS = 400_000
#: Distinct words that are looked up at all.
MOST_WORDS = 5_000
#: The sum of document frequencies that an expression may ask for, and the fewest and most terms it has.
BUDGET, FEWEST_TERMS, MOST_TERMS = 3_000, 4, 64
_LONGEST_CHINESE = 6
#: Gives the table of characters that the index writes otherwise.
Simplify = Callable[[], Mapping[int, int]]
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")
_HAN_RUN = re.compile(f"[{HAN}]+")
#: Said in every question and of no error.
_QUESTION_WORDS = frozenset(
    "怎么 怎么办 怎样 如何 什么 为什么 请问 求助 的 了 吗 呢 吧 啊 是 一直 解决 办".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the query: its number from 1, its text as pasted, its words, folded."""

    number: int
    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Query:
    """An analysed query. `weights`: each known word's inverse document frequency; `unknown`: words no entry holds."""

    text: str
    lines: tuple[Line, ...]
    weights: dict[str, float] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    terms: tuple[str, ...] = ()
    relaxed: bool = False

    @property
    def expression(self) -> str:
        """The FTS5 expression: any of the terms. Never a syntax error, since a term is only word characters."""
        return " OR ".join(f'"{term}"' for term in self.terms) or '""'

    def mass(self, found: frozenset[str] | set[str]) -> float:
        """The summed weight of those words that the query and `found` share."""
        return sum(weight for word, weight in self.weights.items() if word in found)


def analyse(connection: sqlite3.Connection, text: str, entries: int, simplify: Simplify | None = None) -> Query:
    """Read a query of any length and content, among so many entries. Never raises for any text.

    `simplify` gives the file's table of characters when the query holds Chinese; by default it is read anew.
    """
    text = _cut(text)
    lines = _lines(connection, text, simplify or (lambda: read_folds(connection)))
    seen: dict[str, None] = {}
    for line in lines:
        seen.update(dict.fromkeys(sorted(line.words)))
    asked = list(seen)[:MOST_WORDS]
    known = dict(connection.execute(engine("known_terms"), {"words": json.dumps(asked)}).fetchall())
    weights = {word: weight(count, entries) for word, count in known.items()}
    terms = _affordable(known)
    unknown = frozenset(word for word in asked if word not in known)
    return Query(text, tuple(lines), weights, unknown, terms, bool(unknown) or len(terms) < len(known))


def read_folds(connection: sqlite3.Connection) -> dict[int, int]:
    """The file's own table of characters that the index writes otherwise, for `str.translate`."""
    return {ord(source): ord(target) for source, target in connection.execute(engine("folds"))}


def weight(count: int, entries: int) -> float:
    """A word's inverse document frequency, ln(1 + (N - n + ½)/(n + ½)): that of Lucene's BM25, never negative."""
    return math.log(1 + (max(entries, count) - count + 0.5) / (count + 0.5))


def _cut(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[: MOST_CHARACTERS // 2]}\n{text[-MOST_CHARACTERS // 2 :]}"


def _lines(connection: sqlite3.Connection, text: str, simplify: Simplify) -> list[Line]:
    plain = [_ANSI.sub("", line) for line in re.split(r"\r\n|[\r\n]", text.replace("\0", " "))]
    chinese: set[str] = set()
    folded = []
    for line in plain:
        low = fold(line, simplify)
        folded.append(low)
        for run in _HAN_RUN.findall(low):
            chinese.update(_pieces(run))
    vocabulary = _known(connection, chinese)
    lines = []
    seen: set[frozenset[str]] = set()
    for number, (line, low) in enumerate(zip(plain, folded, strict=True), 1):
        found = frozenset(_words(line, low, vocabulary))
        if found and found not in seen:
            seen.add(found)
            lines.append(Line(number, line.strip(), found))
    return lines


def _pieces(run: str) -> set[str]:
    run = run[:1_000]
    sizes = range(1, min(_LONGEST_CHINESE, len(run)) + 1)
    return {run[start : start + size] for size in sizes for start in range(len(run) - size + 1)}


def _known(connection: sqlite3.Connection, chinese: set[str]) -> frozenset[str]:
    if not chinese:
        return frozenset()
    rows = connection.execute(engine("known_terms"), {"words": json.dumps(sorted(chinese)[: 8 * MOST_WORDS])})
    return frozenset(term for term, _ in rows) - _QUESTION_WORDS


def _words(line: str, folded: str, vocabulary: frozenset[str]) -> list[str]:
    found: list[str] = []
    for word in words(folded):
        runs = _HAN_RUN.findall(word)
        if not runs:
            found.append(word[:64])
            continue
        found.extend(_HAN_RUN.sub(" ", word).split())
        for run in runs:
            found.extend(_cover(run, vocabulary))
    found.extend(identifier_parts(line))
    return found


def _cover(run: str, vocabulary: frozenset[str]) -> list[str]:
    """The words of the index that stand in a run of Chinese; a single character only where no longer word covers it."""
    found = []
    covered = [False] * len(run)
    for size in range(min(_LONGEST_CHINESE, len(run)), 0, -1):
        for start in range(len(run) - size + 1):
            piece = run[start : start + size]
            if piece in vocabulary and (size > 1 or not covered[start]):
                found.append(piece)
                covered[start : start + size] = [True] * size
    return found


def _affordable(known: dict[str, int]) -> tuple[str, ...]:
    """The rarest words, as long as the entries they are in sum up to less than the budget."""
    terms: list[str] = []
    spent = 0
    for word, count in sorted(known.items(), key=lambda item: (item[1], item[0])):
        if len(terms) >= MOST_TERMS or (len(terms) >= FEWEST_TERMS and spent + count > BUDGET):
            break
        terms.append(word)
        spent += count
    return tuple(terms)
