"""What the evidence needs of an entry, read once and kept: which words it has, where, and how often.

A search weighs a few dozen entries, and the next one often the same. Reading an entry's indexed text anew costs more
than weighing it, so the latest are kept in memory in the form in which they are weighed.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from culdesac.queries.codes import codes, named
from culdesac.queries.kept import Kept
from culdesac.queries.phrases import country_code
from culdesac.queries.sql import engine

#: Entries that are kept; one takes about 15 kB.
_KEPT = 2_500


class Column(NamedTuple):
    """How much a query's word counts that stands in this column: for bm25, where it is as in db/schema.sql, and as a
    share of 1 where it is the best column that the word stands in."""

    name: str
    weight: float
    share: float


#: From the column that says most of what the error is to the one that says least, as engine/cards.sql gives them.
COLUMNS = (
    Column("signature", 10.0, 1.0),
    Column("signature_zh", 9.0, 1.0),
    Column("keywords", 3.0, 0.8),
    Column("root_cause", 2.0, 0.6),
    Column("root_cause_zh", 6.0, 0.6),
    Column("workarounds", 1.0, 0.4),
    Column("workarounds_zh", 3.0, 0.4),
    Column("dead_ends", 0.5, 0.25),
)
#: Columns with such a share name the error; the others describe it.
NAMING = 0.8


@dataclass(slots=True)
class Card:
    """An entry as it is weighed. `words`: each of its indexed words with the share of its best column; `size`: how many
    they are, with repetitions; `signature`: the words of its signature, in both languages; `pairs`: the neighbouring
    ones, in each language that it has; `codes`: those in its signature, by family."""

    pk: int
    error_id: str
    domain: str | None
    country: str | None
    regex: str | None
    words: dict[str, float]
    size: int
    signature: frozenset[str]
    pairs: tuple[list[tuple[str, str]], ...]
    codes: dict[str, set[str]]
    _texts: list[tuple[float, str]]
    _frequencies: dict[str, float] = field(default_factory=dict)

    def frequency(self, word: str) -> float:
        """How often it has a word, weighted by column. Counted when it is first asked for."""
        found = self._frequencies.get(word)
        if found is None:
            alone = f" {word} "
            found = sum(weight * text.count(alone) for weight, text in self._texts)
            self._frequencies[word] = found
        return found


class CardStore(Kept[int, Card]):
    """The cards of an open file, as they are asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        def read(pks: list[int]) -> dict[int, Card]:
            rows = connection.execute(engine("cards"), {"pks": json.dumps(pks)})
            return {row[0]: _card(row) for row in rows}

        super().__init__(_KEPT, read)


def _card(row: tuple[Any, ...]) -> Card:
    pk, error_id, domain, country, regex, signature, *columns = row
    words: dict[str, float] = {}
    size = 0
    pairs = []
    texts = []
    # From the least column to the best, so that the best has the last word.
    for column, text in zip(reversed(COLUMNS), reversed(columns), strict=True):
        if text:
            found = text.split(" ")
            size += len(found)
            words.update(dict.fromkeys(found, column.share))
            # Two blanks between words: each has one on either side, of its own.
            texts.append((column.weight, f" {text.replace(' ', '  ')} "))
            if column.share == 1.0 and len(found) > 1:
                pairs.append(list(pairwise(found)))
    return Card(
        pk,
        error_id,
        domain,
        country_code(country),
        regex,
        words,
        size,
        frozenset(f"{columns[0] or ''} {columns[1] or ''}".split()),
        tuple(pairs),
        {**codes((columns[0] or "").split()), **named(signature or "")},
        texts,
    )
