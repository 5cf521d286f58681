"""The lines of a query, and which of them only wrap an error that another line names.

`wrappers.txt` beside this module holds phrases of lines that say that something failed, not why. A build's last line
is one; it is in a thousand logs with a thousand causes. `success.txt` holds those of lines that say that all is well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from culdesac.queries.codes import codes
from culdesac.queries.sql import FOLDER

#: What no line says when all is well.
_FAILURE = {
    "fail", "failed", "fails", "failure", "error", "exception", "fatal", "cannot", "can", "unable", "denied", "refused",
    "invalid", "missing", "timeout", "panic", "killed", "aborted", "but", "why", "not", "失败", "报错", "但", "但是",
}  # fmt: skip


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
        return codes(self.words)

    @cached_property
    def wraps(self) -> bool:
        """Whether it says only that something failed."""
        return self._holds("wrappers.txt")

    @cached_property
    def succeeds(self) -> bool:
        """Whether it says that all is well, and nothing that isn't."""
        return self._holds("success.txt") and _FAILURE.isdisjoint(self.words)

    def _holds(self, name: str) -> bool:
        known = phrases(name)
        return any(
            self.words[place : place + len(phrase)] == phrase
            for place, word in enumerate(self.words)
            for phrase in known.get(word, ())
        )


@cache
def phrases(name: str) -> dict[str, list[tuple[str, ...]]]:
    """The phrases of a text file by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            phrase = tuple(line.split())
            found.setdefault(phrase[0], []).append(phrase)
    return found
