"""What results show of their entries, read once and kept: the same few errors are what people have."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from culdesac.queries.answer import DeadEnd, Workaround
from culdesac.queries.glossary import Simplify
from culdesac.queries.kept import Kept
from culdesac.queries.mark import Text
from culdesac.queries.sql import engine

#: Entries that are kept; one takes about 25 kB.
_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class Content:
    """An entry as a result shows it. `variants`: the ids of its error's entries by pk, the best documented first;
    `texts`: what a snippet can be cut from, in the order in which it is preferred when nothing else decides."""

    id: str
    error_id: str
    signature: str
    signature_zh: str | None
    domain: str | None
    resolvable: str | None
    fix_success_rate: float | None
    variants: Mapping[int, str]
    workarounds: tuple[Workaround, ...]
    dead_ends: tuple[DeadEnd, ...]
    texts: tuple[Text, ...]


class ContentStore(Kept[int, Content]):
    """The contents of an open file's entries, as they are asked for."""

    def __init__(self, connection: sqlite3.Connection, simplify: Simplify) -> None:
        super().__init__(_KEPT, self._contents)
        self._connection = connection
        self._simplify = simplify

    def _contents(self, wanted: list[int]) -> dict[int, Content]:
        pks = {"pks": json.dumps(wanted)}
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        headers = cursor.execute(engine("results"), pks).fetchall()
        workarounds: dict[int, list[Workaround]] = {}
        for entry, *columns in self._connection.execute(engine("workarounds"), pks):
            workarounds.setdefault(entry, []).append(Workaround(*columns))
        dead_ends: dict[int, list[DeadEnd]] = {}
        for entry, *columns in self._connection.execute(engine("dead_ends"), pks):
            dead_ends.setdefault(entry, []).append(DeadEnd(*columns))
        variants: dict[str, dict[int, str]] = {}
        error_ids = {"error_ids": json.dumps(sorted({header["error_id"] for header in headers}))}
        for error_id, entry_id, pk in self._connection.execute(engine("variants"), error_ids):
            variants.setdefault(error_id, {})[pk] = entry_id
        found: dict[int, Content] = {}
        for header in headers:
            pk, error_id = header["pk"], header["error_id"]
            steps, ends = tuple(workarounds.get(pk, ())), tuple(dead_ends.get(pk, ()))
            found[pk] = Content(
                header["id"],
                error_id,
                header["signature"],
                header["signature_zh"],
                header["domain"],
                header["resolvable"],
                header["fix_success_rate"],
                variants[error_id],
                steps,
                ends,
                tuple(Text.of(field, text, self._simplify) for field, text in _texts(header, steps, ends)),
            )
        return found


def _texts(
    header: sqlite3.Row, workarounds: Iterable[Workaround], dead_ends: Iterable[DeadEnd]
) -> Iterable[tuple[str, str]]:
    fields = [(name, header[name]) for name in ("signature", "signature_zh", "root_cause", "root_cause_zh")]
    for index, step in enumerate(workarounds):
        fields += [
            (f"workarounds[{index}].action", step.action),
            (f"workarounds[{index}].how", step.how if step.how != step.action else None),
            (f"workarounds_zh[{index}]", step.text_zh),
        ]
    for index, end in enumerate(dead_ends):
        fields += [(f"dead_ends[{index}].action", end.action), (f"dead_ends[{index}].why_fails", end.why_fails)]
    return ((field, text) for field, text in fields if text)
