"""The words of an open file's index: in how many entries and signatures each is. Those asked for are kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from culdesac.queries.spelling import inflections
from culdesac.queries.sql import engine

#: Words that are kept, known or not, about 100 bytes each; and words whose forms are.
_KEPT = 50_000

#: Gives the forms that a word may have.
Spell = Callable[[str], set[str]]


class Term(NamedTuple):
    """How many entries hold a word anywhere, and how many in their signature."""

    entries: int
    signatures: int


class Terms:
    """The terms of an open file, as they are asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._kept: dict[str, Term | None] = {}
        self._forms: dict[Spell, dict[str, dict[str, Term]]] = {}

    def get(self, words: Iterable[str]) -> dict[str, Term]:
        """Those of the words that the index holds, in the order given."""
        wanted = list(dict.fromkeys(words))
        if len(self._kept) > _KEPT:
            self._kept.clear()
        missing = [word for word in wanted if word not in self._kept]
        if missing:
            found = self.look(missing)
            self._kept.update((word, found.get(word)) for word in missing)
        return {word: term for word in wanted if (term := self._kept[word])}

    def forms(self, words: Iterable[str], spell: Spell = inflections) -> dict[str, dict[str, Term]]:
        """For each word its other forms that the index holds; `spell` gives all that there may be."""
        wanted = list(dict.fromkeys(words))
        kept = self._forms.setdefault(spell, {})
        if len(kept) > _KEPT:
            kept.clear()
        spellings = {word: spell(word) for word in wanted if word not in kept}
        if spellings:
            there = self.look(set(chain.from_iterable(spellings.values())))
            for word, forms in spellings.items():
                kept[word] = {form: there[form] for form in sorted(forms & there.keys())}
        return {word: kept[word] for word in wanted}

    def together(self, words: Iterable[str]) -> bool:
        """Whether any entry has these words in a row."""
        phrase = {"term": f'"{" ".join(words)}"', "limit": 1}
        return self._connection.execute(engine("propose_by_text"), phrase).fetchone() is not None

    def look(self, words: Iterable[str]) -> dict[str, Term]:
        """The same without keeping any: for guesses, most of which no entry holds."""
        rows = self._connection.execute(engine("known_terms"), {"words": json.dumps(list(words))})
        return {word: Term(entries, signatures) for word, entries, signatures in rows}
