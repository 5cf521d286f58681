"""Marking hits in the original text: the index holds folded words, a reader sees what the author wrote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from culdesac.db.text import HAN, fold, has_han, identifier_parts, words
from culdesac.queries.answer import Snippet
from culdesac.queries.glossary import Simplify

_TOKEN = re.compile(f"[{HAN}]+|[^\\W_{HAN}]+")
_WORD = re.compile(r"[^\W_]+")
_HAN_RUN = re.compile(f"[{HAN}]")
#: A snippet's length in characters, and how many of them may stand before the first mark.
LENGTH, BEFORE = 240, 60
#: Words that a third of all entries hold, or more, are not marked.
_TELLING = 1.1
#: How much of a field is searched for marks.
_SEARCHED = 1_000
_SHORTEST_NAME = 6


def marks(text: str, terms: frozenset[str], simplify: Simplify) -> list[tuple[int, int]]:
    """Where the folded terms stand in an original text: half-open ranges of code points, in order, not overlapping."""
    if text.isascii():
        # As most text is: folding keeps every position, so it is done once.
        tokens = _WORD.finditer(text.lower())
        if text.islower():
            return [token.span() for token in tokens if token[0] in terms]
        return [token.span() for token in tokens if token[0] in terms or _camel(text, token, terms)]
    found: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if _HAN_RUN.match(token[0]):
            found.extend((start + a, start + b) for a, b in _chinese(token[0], terms, simplify))
        elif fold(token[0], simplify) in terms or _camel(text, token, terms):
            found.append((start, end))
    return found


def _camel(text: str, token: re.Match[str], terms: frozenset[str]) -> bool:
    """Whether a name in camelCase has one of the terms inside."""
    start, end = token.span()
    if end - start < _SHORTEST_NAME:
        return False
    name = text[start:end]
    if name.islower() or name[1:].islower():
        return False
    return any(part in terms for part in identifier_parts(name))


def _chinese(run: str, terms: frozenset[str], simplify: Simplify) -> list[tuple[int, int]]:
    """Ranges of a Chinese run that are terms; neighbours and overlaps are joined."""
    folded = fold(run, simplify)
    if len(folded) != len(run):
        # A place in the one has to be a place in the other.
        folded = "".join(fold(character, simplify)[:1] or character for character in run)
    hit = [False] * len(run)
    longest = max((len(term) for term in terms if _HAN_RUN.match(term)), default=0)
    for size in range(1, min(longest, len(run)) + 1):
        for start in range(len(run) - size + 1):
            if folded[start : start + size] in terms:
                hit[start : start + size] = [True] * size
    found: list[tuple[int, int]] = []
    for place, marked in enumerate(hit):
        if marked and found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        elif marked:
            found.append((place, place + 1))
    return found


class Text(NamedTuple):
    """A text that a snippet can be cut from, with what as much of it as is searched says: its words without blanks
    inside (of names in camelCase only the whole, as far as it takes to choose among texts), and where it holds
    Chinese all of it, folded."""

    field: str
    text: str
    words: frozenset[str]
    chinese: str

    @classmethod
    def of(cls, field: str, text: str, simplify: Simplify) -> Text:
        """A text, read."""
        folded = fold(text[:_SEARCHED], simplify)
        return cls(field, text, frozenset(words(folded)), folded if has_han(folded) else "")

    def holds(self, terms: frozenset[str], chinese: Iterable[str]) -> set[str]:
        """Those of the terms that it holds; `chinese` are those among them that may stand inside a run."""
        found = set(terms & self.words)
        if self.chinese:
            found.update(term for term in chinese if term in self.chinese)
        return found


def best_snippet(
    texts: Iterable[Text], weights: dict[str, float], simplify: Simplify, held: Collection[str] | None = None
) -> Snippet:
    """The text whose marked words weigh most, cut around its first mark; the first one when nothing is marked.

    `held` are the words of all the texts, if they are known: a text that has all that is asked of them is the best.
    """
    terms = frozenset(word for word, weight in weights.items() if weight >= _TELLING)
    chinese = [term for term in terms if has_han(term)]
    best: tuple[float, Text] | None = None
    most = sum(weights[word] for word in terms if held is None or word in held)
    for text in texts:
        if best is not None and best[0] >= most:
            break
        value = sum(map(weights.__getitem__, text.holds(terms, chinese)))
        if best is None or value > best[0]:
            best = (value, text)
    return Snippet("signature", "") if best is None else _cut(best[1], terms, simplify)


def _cut(chosen: Text, terms: frozenset[str], simplify: Simplify) -> Snippet:
    text = chosen.text
    # Mostly the first mark stands near the beginning, and no more of the text is shown.
    found = marks(text[:LENGTH], terms, simplify)
    if not found or found[0][0] > LENGTH - BEFORE:
        found = marks(text[:_SEARCHED], terms, simplify)
    start = max(0, found[0][0] - BEFORE) if found and found[0][0] > LENGTH - BEFORE else 0
    end = min(len(text), start + LENGTH)
    kept = tuple((a - start, b - start) for a, b in found if a >= start and b <= end)
    return Snippet(chosen.field, text[start:end], kept)
