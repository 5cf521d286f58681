"""Results as they are shown: what was found is read in full, with the text that matches best."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from culdesac.queries.answer import CONFIDENT, DeadEnd, Result, Snippet, Why, Workaround
from culdesac.queries.chinese import Simplify
from culdesac.queries.evidence import Evidence
from culdesac.queries.mark import best_snippet
from culdesac.queries.query import Query
from culdesac.queries.sql import engine

_MATCHED = 300


@dataclass(frozen=True, slots=True)
class Found:
    """An error that was found: its entries that were weighed, best first; of the best one all its words and the
    evidence; its score."""

    pks: list[int]
    words: Collection[str]
    evidence: Evidence
    score: float


class ResultReader:
    """Reads results of one query from an open file."""

    def __init__(self, connection: sqlite3.Connection, query: Query, simplify: Simplify, lang: str | None) -> None:
        self._connection = connection
        self._query = query
        self._simplify = simplify
        self._lang = lang

    def read(self, found: Sequence[Found]) -> list[Result]:
        """The results, in order."""
        pks = {"pks": json.dumps([error.pks[0] for error in found])}
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        headers = {row["pk"]: row for row in cursor.execute(engine("results"), pks)}
        workarounds: dict[int, list[Workaround]] = {}
        for entry, *columns in self._connection.execute(engine("workarounds"), pks):
            workarounds.setdefault(entry, []).append(Workaround(*columns))
        dead_ends: dict[int, list[DeadEnd]] = {}
        for entry, *columns in self._connection.execute(engine("dead_ends"), pks):
            dead_ends.setdefault(entry, []).append(DeadEnd(*columns))
        variants = self._variants(headers, found)
        return [
            self._result(error, headers[pk], variants[pk], tuple(workarounds.get(pk, ())), tuple(dead_ends.get(pk, ())))
            for error in found
            for pk in error.pks[:1]
        ]

    def _variants(self, headers: dict[int, sqlite3.Row], found: Sequence[Found]) -> dict[int, tuple[str, ...]]:
        """By the best entry, all entry ids of its error: those that were found in their order, then the others by
        quality."""
        errors = {headers[error.pks[0]]["error_id"]: error.pks for error in found}
        ids: dict[str, dict[int, str]] = {error_id: {} for error_id in errors}
        rows = self._connection.execute(engine("variants"), {"error_ids": json.dumps(list(errors))})
        for error_id, entry_id, pk in rows:
            ids[error_id][pk] = entry_id
        return {
            pks[0]: tuple(ids[error_id][pk] for pk in dict.fromkeys([*pks, *ids[error_id]]))
            for error_id, pks in errors.items()
        }

    def _result(
        self,
        found: Found,
        header: sqlite3.Row,
        variants: tuple[str, ...],
        workarounds: tuple[Workaround, ...],
        dead_ends: tuple[DeadEnd, ...],
    ) -> Result:
        lines = self._query.lines
        line = found.evidence.line or (lines[0] if lines else None)
        return Result(
            id=header["id"],
            error_id=header["error_id"],
            variants=variants,
            score=found.score,
            confident=found.score >= CONFIDENT,
            signature=header["signature"],
            signature_zh=header["signature_zh"],
            domain=header["domain"],
            resolvable=header["resolvable"],
            fix_success_rate=header["fix_success_rate"],
            why=Why(found.evidence.regex > 0, line.number if line else 1, line.text[:_MATCHED] if line else ""),
            snippet=self._snippet(_fields(header, workarounds, dead_ends), found.words),
            workarounds=workarounds,
            dead_ends=dead_ends,
        )

    def _snippet(self, fields: list[tuple[str, str | None]], held: Collection[str]) -> Snippet:
        """The text that matches best; of an entry's Chinese, where that was asked for and matches at all."""
        if self._lang == "zh":
            chinese = [field for field in fields if "_zh" in field[0]]
            found = best_snippet(chinese, self._query.marked, self._simplify)
            if found.marks:
                return found
        return best_snippet(fields, self._query.marked, self._simplify, held)


def _fields(
    header: sqlite3.Row, workarounds: Sequence[Workaround], dead_ends: Sequence[DeadEnd]
) -> list[tuple[str, str | None]]:
    """What a snippet can be cut from, by name, in the order in which it is preferred when nothing else decides."""
    fields = [(name, header[name]) for name in ("signature", "signature_zh", "root_cause", "root_cause_zh")]
    for index, step in enumerate(workarounds):
        fields += [
            (f"workarounds[{index}].action", step.action),
            (f"workarounds[{index}].how", step.how if step.how != step.action else None),
            (f"workarounds_zh[{index}]", step.text_zh),
        ]
    for index, end in enumerate(dead_ends):
        fields += [(f"dead_ends[{index}].action", end.action), (f"dead_ends[{index}].why_fails", end.why_fails)]
    return fields
