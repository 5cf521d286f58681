"""The lines of a query, and which of them only wrap an error that another line names.

`wrappers.txt` beside this module holds phrases of lines that say that something failed, not why. A build's last line
is one; it is in a thousand logs with a thousand causes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

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
    def wraps(self) -> bool:
        """Whether it says only that something failed."""
        phrases = wrappers()
        return any(
            self.words[place : place + len(phrase)] == phrase
            for place, word in enumerate(self.words)
            for phrase in phrases.get(word, ())
        )


@cache
def wrappers() -> dict[str, list[tuple[str, ...]]]:
    """The phrases of wrappers.txt by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in (FOLDER / "wrappers.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            phrase = tuple(line.split())
            found.setdefault(phrase[0], []).append(phrase)
    return found
