"""Postings: which entries hold a word, in their signature or anywhere, the best documented first.

What a search reads of the index most. The latest are kept, as long as no filter narrows them: queries share words.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from culdesac.queries.sql import engine

#: Of a term that more entries hold, only the best documented so many are looked at.
MOST_POSTINGS = 1_000
#: So many postings are kept, about 36 bytes each.
_KEPT = 300_000


class Postings:
    """The postings of an open file. `filters` binds :domain, :os and :package."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._text: dict[str, tuple[int, ...]] = {}
        self._signatures: dict[str, tuple[int, ...]] = {}
        self._held = 0

    def by_text(self, term: str, filters: Mapping[str, str | None]) -> Sequence[int]:
        """The entries that hold a term anywhere, at most MOST_POSTINGS."""
        parameters: dict[str, str | int | None] = {"term": f'"{term}"', "limit": MOST_POSTINGS}
        if any(filters.values()):
            rows = self._connection.execute(engine("propose_by_text_filtered"), {**parameters, **filters})
            return [pk for (pk,) in rows]
        if term not in self._text:
            rows = self._connection.execute(engine("propose_by_text"), parameters)
            self._text[term] = self._keep(pk for (pk,) in rows)
        return self._text[term]

    def by_signature(self, words: Mapping[str, int], filters: Mapping[str, str | None]) -> list[Sequence[int]]:
        """For each word the entries whose signatures hold it, at most MOST_POSTINGS; it is given with how many do."""
        if any(filters.values()):
            found = self._read(words, "propose_by_signature_filtered", filters)
            return [found[word] for word in words]
        missing = {word: count for word, count in words.items() if word not in self._signatures}
        for word, pks in self._read(missing, "propose_by_signature", {}).items():
            self._signatures[word] = self._keep(pks)
        return [self._signatures[word] for word in words]

    def _read(self, words: Mapping[str, int], name: str, filters: Mapping[str, str | None]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {word: [] for word in words}
        rare = [word for word, count in words.items() if count <= MOST_POSTINGS]
        # All rare words in one statement; of a common word only the beginning, so it has one of its own.
        for several in [rare, *([word] for word in words if words[word] > MOST_POSTINGS)]:
            limit = -1 if several is rare else MOST_POSTINGS
            parameters = {"words": json.dumps(several), "limit": limit, **filters}
            for number, pk in self._connection.execute(engine(name), parameters) if several else ():
                found[several[number]].append(pk)
        return found

    def _keep(self, pks: Iterable[int]) -> tuple[int, ...]:
        kept = tuple(pks)
        self._held += len(kept)
        return kept

    def trim(self) -> None:
        """Forget all when too much is kept. Between two searches, since one counts on what it has read."""
        if self._held > _KEPT:
            self._text.clear()
            self._signatures.clear()
            self._held = 0
