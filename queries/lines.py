"""The lines of a query, and which of them only wrap an error that another line names.

`wrappers.txt` beside this module holds phrases of lines that say that something failed, not why. A build's last line
is one; it is in a thousand logs with a thousand causes. `success.txt` holds those of lines that say that all is well,
`failure.txt` and `turns.txt` the words that no such line has beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from culdesac.queries.codes import codes, named
from culdesac.queries.sql import FOLDER


@dataclass(frozen=True)
class Line:
    """A line of the query: its number from 1, its text as pasted, its words, folded, in order."""

    number: int
    text: str
    words: tuple[str, ...]

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Its neighbouring words."""
        return frozenset(pairwise(self.words))

    @cached_property
    def codes(self) -> dict[str, set[str]]:
        """The codes in it, by family."""
        return {**codes(self.words), **named(self.text)}

    @cached_property
    def wraps(self) -> bool:
        """Whether it says only that something failed."""
        return next(self._phrases("wrappers.txt"), None) is not None

    @cached_property
    def succeeds(self) -> bool:
        """Whether it says that all is well, and nothing that isn't."""
        found = list(self._phrases("success.txt"))
        # Words that say nothing by themselves aren't among a line's Chinese words: that is looked for as it stands.
        chinese = [phrase for phrase in phrases("success.txt") if not phrase.isascii() and phrase in self.text]
        if not found and not chinese:
            return False
        said = {place for start, end in found for place in range(start, end)}
        rest = {word for place, word in enumerate(self.words) if place not in said}
        text = self.text
        for phrase in chinese:
            text = text.replace(phrase, " ")
        ended = listed("failure.txt") | listed("turns.txt")
        return not any(word in rest if word.isascii() else word in text for word in ended)

    def _phrases(self, name: str) -> Iterator[tuple[int, int]]:
        """Where the phrases of a file stand in its words: half-open."""
        known = phrases(name)
        for place, word in enumerate(self.words):
            for phrase in known.get(word, ()):
                if self.words[place : place + len(phrase)] == phrase:
                    yield place, place + len(phrase)


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a text file, whatever their lines."""
    return frozenset(word for several in phrases(name).values() for line in several for word in line)


@cache
def phrases(name: str) -> dict[str, list[tuple[str, ...]]]:
    """The phrases of a text file by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            phrase = tuple(line.split())
            found.setdefault(phrase[0], []).append(phrase)
    return found
