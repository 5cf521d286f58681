"""The read side's one door: open a file, search it, show an entry, export all.

An index proposes (full text, and the exact signature by its key), evidence decides. Nothing here writes, loads a
segmenter, or keeps a query.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from heapq import nlargest
from pathlib import Path
from typing import Any, NamedTuple

from culdesac.db.documents import restore
from culdesac.db.file import FileError, open_readonly
from culdesac.db.read import read_all, read_entries
from culdesac.db.segment import MODE
from culdesac.queries.answer import CONFIDENT, Answer, DeadEnd, Result, Snippet, Why, Workaround
from culdesac.queries.bm25 import Column, bm25
from culdesac.queries.confidence import confidence
from culdesac.queries.evidence import Evidence, weigh
from culdesac.queries.mark import best_snippet
from culdesac.queries.propose import propose
from culdesac.queries.query import Query, analyse, read_folds
from culdesac.queries.regexes import regex_matches
from culdesac.queries.signatures import SignatureStore
from culdesac.queries.sql import engine

_TOKEN_COLUMNS = (
    "signature", "keywords", "root_cause", "workarounds", "dead_ends", "signature_zh", "root_cause_zh",
    "workarounds_zh",
)  # fmt: skip
#: How many of those that the text proposes are weighed, and how many of the best candidates have their regex run.
_BY_BM25 = 14
_BY_REGEX = 4


class UnknownEntry(LookupError):
    """No entry or error has that id."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrowing a search to entries that have just this of each (None: any). `chinese`: "yes", or any."""

    domain: str | None = None
    os: str | None = None
    package: str | None = None
    category: str | None = None
    resolvable: str | None = None
    verification_tier: str | None = None
    country: str | None = None
    chinese: str | None = None

    def parameters(self) -> dict[str, str | None]:
        """As bound parameters."""
        return {name: getattr(self, name) for name in Filters.__slots__}


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry in full. `document` is flat and complete, `own` what was ingested, in its own dialect."""

    id: str
    error_id: str
    variants: tuple[str, ...]
    document: dict[str, Any]
    own: dict[str, Any]
    problems: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that was weighed. `rank` orders candidates and means nothing else."""

    pk: int
    header: sqlite3.Row
    evidence: Evidence
    rank: float


class _Steps(NamedTuple):
    """Workarounds and dead ends by entry, in their order."""

    workarounds: dict[int, list[Workaround]]
    dead_ends: dict[int, list[DeadEnd]]


class Engine:
    """An open file. Use it from one thread at a time; close it, or use it in a `with`."""

    def __init__(self, path: str | Path) -> None:
        """Open a file for reading. Raises FileError when it isn't one of ours or can't be read."""
        self._path = Path(path)
        self._connection = open_readonly(self._path)
        self._folds: dict[int, int] | None = None
        (self.entries,) = self._connection.execute(engine("entry_count")).fetchone()
        about = self.about()
        if about.get("tokenizer") != MODE:
            made = about.get("tokenizer", "an unknown tokenizer")
            self._connection.close()
            raise FileError(f"{path}: its index was made by {made}, this Culdesac reads {MODE}; make the file anew")
        self._words = float(about.get("index/words per entry", 1)) or 1.0
        self._signatures = SignatureStore(self._connection, self.entries)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _simplified(self) -> Mapping[int, int]:
        """The file's own table of characters, read once, by the first query or entry in Chinese."""
        if self._folds is None:
            self._folds = read_folds(self._connection)
        return self._folds

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A stranger's file may hold bytes where text belongs: that is the file's fault, and is said so."""
        try:
            yield
        except (sqlite3.Error, TypeError, AttributeError) as error:
            what = str(error).splitlines()[0]
            raise FileError(f"{self._path}: damaged: {what}; make the file anew from its sources") from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def search(
        self,
        text: str,
        n: int = 5,
        domain: str | None = None,
        lang: str | None = None,
        *,
        os: str | None = None,
        package: str | None = None,
        filters: Filters | None = None,
        qid: str | None = None,
        explain: bool = False,
    ) -> Answer:
        """Find the errors that a text is about, at most n (1 to 100), best first.

        `lang` ("en" or "zh") prefers that language in the snippet; `explain` adds to each result what each part of
        the evidence contributed. `filters` says more than `domain`, `os` and `package`, and is taken in their place.
        Never raises for any text.
        """
        if not isinstance(text, str):
            raise TypeError(f"search: expected text, got {type(text).__name__}")
        text = text.encode("utf-8", "replace").decode("utf-8")
        with self._reading():
            query, candidates = self.candidates(text, filters or Filters(domain, os, package))
            groups = _group(candidates)
            results = self._results(query, groups, max(1, min(n, 100)), lang)
            confident = bool(results) and results[0].confident
            if explain:
                parts = [group[0].evidence.explain(query.prose) for group in groups]
                results = [replace(result, explain=part) for result, part in zip(results, parts, strict=False)]
        return Answer(text, tuple(results), confident, bool(query.unknown), qid)

    def candidates(self, text: str, filters: Filters) -> tuple[Query, list[Candidate]]:
        """The analysed query and every entry that was weighed for it, best first, variants not yet grouped."""
        query = analyse(self._connection, text, self.entries, self._simplified)
        proposals = propose(self._connection, query, filters.parameters(), self._signatures, self._simplified)
        pks = json.dumps(list(proposals))
        tokens = {
            pk: {name: _column(text) for name, text in zip(_TOKEN_COLUMNS, columns, strict=True) if text}
            for pk, *columns in self._connection.execute(engine("tokens"), {"pks": pks})
        }
        scores = {pk: bm25(query.text_terms, columns, self._words) for pk, columns in tokens.items()}
        best = max(scores.values(), default=0.0) or 1.0
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        # The text proposes generously, by weight alone; bm25 says which of those are worth a closer look.
        likely = set(nlargest(_BY_BM25, scores, key=lambda pk: (scores[pk], -pk)))
        candidates = []
        for header in cursor.execute(engine("headers"), {"pks": pks}):
            pk = header["pk"]
            if pk in likely or not proposals[pk].by_text:
                evidence = weigh(query, proposals[pk], scores.get(pk, 0.0) / best, tokens.get(pk, {}))
                candidates.append(Candidate(pk, header, evidence, evidence.rank(query.prose)))
        candidates.sort(key=_by_rank)
        # A regex is only run where it can change the order that matters.
        candidates[:_BY_REGEX] = (self._with_regex(query, candidate) for candidate in candidates[:_BY_REGEX])
        return query, sorted(candidates, key=_by_rank)

    @staticmethod
    def _with_regex(query: Query, candidate: Candidate) -> Candidate:
        line = candidate.evidence.line
        if line is None or not regex_matches(candidate.header["regex"], line.text):
            return candidate
        evidence = replace(candidate.evidence, regex=1.0)
        return Candidate(candidate.pk, candidate.header, evidence, evidence.rank(query.prose))

    def _results(self, query: Query, groups: Sequence[Sequence[Candidate]], n: int, lang: str | None) -> list[Result]:
        # The lead over the second error counts even when only one result is asked for.
        lead = groups[0][0].rank - (groups[1][0].rank if len(groups) > 1 else 0.0) if groups else 0.0
        groups = groups[:n]
        best = [group[0] for group in groups]
        variants = self._variants(groups)
        steps = self._steps([candidate.pk for candidate in best])
        results: list[Result] = []
        ceiling = 1.0
        for candidate in best:
            ceiling = min(ceiling, confidence(candidate.evidence, query.prose, lead, query.substance))
            lead = 0.0
            results.append(self._result(query, candidate, ceiling, variants, steps, lang))
        return results

    def _result(
        self,
        query: Query,
        candidate: Candidate,
        score: float,
        variants: Mapping[str, tuple[str, ...]],
        steps: _Steps,
        lang: str | None,
    ) -> Result:
        header = candidate.header
        workarounds = tuple(steps.workarounds.get(candidate.pk, ()))
        dead_ends = tuple(steps.dead_ends.get(candidate.pk, ()))
        line = candidate.evidence.line or (query.lines[0] if query.lines else None)
        matched = line.text if line else ""
        fields = _fields(header, workarounds, dead_ends)
        return Result(
            id=header["id"],
            error_id=header["error_id"],
            variants=variants[header["error_id"]],
            score=score,
            confident=score >= CONFIDENT,
            signature=header["signature"],
            signature_zh=header["signature_zh"],
            domain=header["domain"],
            resolvable=header["resolvable"],
            fix_success_rate=header["fix_success_rate"],
            why=Why(candidate.evidence.regex > 0, line.number if line else 1, matched[:300]),
            snippet=self._snippet(query, fields, lang),
            workarounds=workarounds,
            dead_ends=dead_ends,
        )

    def _snippet(self, query: Query, fields: list[tuple[str, str | None]], lang: str | None) -> Snippet:
        """The text that matches best; of an entry's Chinese, where that was asked for and matches at all."""
        if lang == "zh":
            chinese = [field for field in fields if "_zh" in field[0]]
            found = best_snippet(chinese, query.marked, self._simplified)
            if found.marks:
                return found
        return best_snippet(fields, query.marked, self._simplified)

    def _variants(self, groups: Sequence[Sequence[Candidate]]) -> dict[str, tuple[str, ...]]:
        """All entry ids of each error: those that were found in their order, then the others by quality."""
        found = {group[0].header["error_id"]: [candidate.header["id"] for candidate in group] for group in groups}
        rows = self._connection.execute(engine("variants"), {"error_ids": json.dumps(list(found))})
        for error_id, entry_id, _ in rows:
            if entry_id not in found[error_id]:
                found[error_id].append(entry_id)
        return {error_id: tuple(ids) for error_id, ids in found.items()}

    def _steps(self, pks: list[int]) -> _Steps:
        parameters = {"pks": json.dumps(pks)}
        steps = _Steps({}, {})
        for entry, *columns in self._connection.execute(engine("workarounds"), parameters):
            steps.workarounds.setdefault(entry, []).append(Workaround(*columns))
        for entry, *columns in self._connection.execute(engine("dead_ends"), parameters):
            steps.dead_ends.setdefault(entry, []).append(DeadEnd(*columns))
        return steps

    def show(self, entry_id: str) -> Shown:
        """An entry in full: an exact entry id first, else the best variant of an error_id. Raises UnknownEntry."""
        with self._reading():
            row = self._connection.execute(engine("entry_by_id"), {"id": entry_id}).fetchone()
            if row is None:
                raise UnknownEntry(entry_id)
            (stored,) = read_entries(self._connection, row[0], row[0])
            own = restore(stored.rows)
            _refuse_bytes(own)
            names = ("code", "severity", "field", "message")
            found = self._connection.execute(engine("problems"), {"entry": stored.pk})
            problems = tuple(dict(zip(names, row, strict=True)) for row in found)
            (error_id, variants) = self._error(stored.pk)
            return Shown(stored.rows.column("id"), error_id, variants, restore(stored.rows, "flat"), own, problems)

    def _error(self, pk: int) -> tuple[str, tuple[str, ...]]:
        rows = self._connection.execute(engine("siblings"), {"pk": pk}).fetchall()
        return rows[0][0], tuple(row[1] for row in rows)

    def export(self, dialect: str | None = None) -> Iterator[dict[str, Any]]:
        """Every document, in its own dialect or (`dialect="flat"`) all as flat, the best documented first."""
        entries = read_all(self._connection)
        while True:
            with self._reading():
                stored = next(entries, None)
                if stored is None:
                    return
                document = restore(stored.rows, dialect)
                _refuse_bytes(document)
            yield document

    def about(self) -> dict[str, str]:
        """What the file says of itself: versions, tokenizer, sources, counts."""
        return dict(self._connection.execute(engine("about")).fetchall())


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


def _refuse_bytes(value: Any) -> None:
    """Raise TypeError when a document holds what JSON can't."""
    if isinstance(value, bytes):
        raise TypeError("an entry holds bytes where text belongs")
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _refuse_bytes(member)


def _column(text: str) -> Column:
    words = text.split()
    return Column(words, frozenset(words))


def _by_rank(candidate: Candidate) -> tuple[float, int]:
    return -candidate.rank, candidate.pk


def _group(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates by error, in the order of each error's best."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.header["error_id"], []).append(candidate)
    return list(groups.values())
