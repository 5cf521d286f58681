"""The read side's one door: open a file, search it, show an entry, export all.

An index proposes (full text, and the exact signature by its key), evidence decides. Nothing here writes, loads a
segmenter, or keeps a query.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from culdesac.db.file import UnfitFile, open_searchable
from culdesac.db.messages import noted
from culdesac.db.read import read_all, read_entries
from culdesac.db.rows import EntryRows
from culdesac.queries.answer import Answer, Result
from culdesac.queries.bm25 import bm25
from culdesac.queries.cards import Card, CardStore
from culdesac.queries.chinese import read_folds
from culdesac.queries.confidence import confidence
from culdesac.queries.contents import ContentStore
from culdesac.queries.evidence import Evidence, weigh
from culdesac.queries.latent import LatentStore
from culdesac.queries.propose import Proposer, most
from culdesac.queries.query import Query, analyse
from culdesac.queries.regexes import regex_match
from culdesac.queries.results import Found, ResultReader
from culdesac.queries.signatures import Lines, SignatureStore
from culdesac.queries.sql import engine
from culdesac.queries.terms import Terms

#: How many of those that the text proposes are weighed, more for a question in Chinese, where less tells which; and how
#: many of the best candidates have their regex run.
_CLOSER, _CLOSER_CHINESE = 14, 20
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

    card: Card
    evidence: Evidence
    rank: float


class Engine:
    """An open file. Use it from one thread at a time; close it, or use it in a `with`."""

    def __init__(self, path: str | Path) -> None:
        """Open a file for reading. Raises FileError when it isn't one of ours or can't be read."""
        self._path = Path(path)
        self._connection = open_searchable(self._path)
        self._folds: dict[int, int] | None = None
        (self.entries,) = self._connection.execute(engine("entry_count")).fetchone()
        self._words = float(self.about().get("index/words per entry", 1)) or 1.0
        self._terms = Terms(self._connection)
        self._signatures = SignatureStore(self._connection, self._terms, self.entries)
        self._proposer = Proposer(self._connection, self._signatures)
        self._cards = CardStore(self._connection)
        self._latent = LatentStore(self._connection)
        self._contents = ContentStore(self._connection, self._simplified)

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
        except sqlite3.ProgrammingError:
            raise  # it was closed, or is used from another thread: the caller's fault
        except (sqlite3.Error, TypeError, AttributeError) as error:
            what = str(error).splitlines()[0]
            message = noted("{path}: damaged: {what}; make the file anew from its sources")
            raise UnfitFile(message, self._path, what=what) from error

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
        if not isinstance(n, int):
            raise TypeError(f"search: expected a number of results from 1 to 100 as n, got {n!r}")
        text = text.encode("utf-8", "replace").decode("utf-8")
        with self._reading():
            query, candidates = self.candidates(text, filters or Filters(domain, os, package))
            groups = _group(candidates)
            results = self._results(query, groups, max(1, min(n, 100)), lang)
            confident = bool(results) and results[0].confident
            if explain:
                results = [
                    replace(result, explain=_explained(query, groups, number)) for number, result in enumerate(results)
                ]
        return Answer(text, tuple(results), confident, bool(query.unknown), qid)

    def candidates(self, text: str, filters: Filters) -> tuple[Query, list[Candidate]]:
        """The analysed query and every entry that was weighed for it, best first, variants not yet grouped."""
        query = analyse(self._terms, text, self.entries, self._simplified)
        lines = Lines(query)
        # What Chinese words mean says which entries are about it, and nothing of the company that words keep.
        nearness = self._latent.near({} if query.concepts else query.own_terms)
        proposals = self._proposer.propose(query, filters.parameters(), lines, nearness, self._simplified)
        cards = self._cards.get(proposals)
        scores = {card.pk: bm25(query, card, self._words) for card in cards}
        best = max(scores.values(), default=0.0) or 1.0
        domains = _shares(cards, scores)
        latent = nearness.to(scores)
        near = {pk: score / best + latent[pk] for pk, score in scores.items()}
        # The text proposes generously, by weight alone; of those only the nearest are worth a closer look.
        likely = set(most(near, _CLOSER_CHINESE if query.concepts else _CLOSER))
        chosen = [card for card in cards if card.pk in likely or not proposals[card.pk].by_text]
        candidates = []
        for card, signature in zip(chosen, self._signatures.of(chosen), strict=True):
            match = lines.match(signature)
            evidence = weigh(
                query, proposals[card.pk], match, scores[card.pk] / best, domains[card.domain], latent[card.pk], card
            )
            candidates.append(Candidate(card, evidence, evidence.rank(query.prose)))
        candidates.sort(key=_by_rank)
        # A regex is only run where it can change the order that matters.
        candidates[:_BY_REGEX] = (self._with_regex(query, candidate) for candidate in candidates[:_BY_REGEX])
        return query, sorted(candidates, key=_by_rank)

    @staticmethod
    def _with_regex(query: Query, candidate: Candidate) -> Candidate:
        line = candidate.evidence.line
        found = regex_match(candidate.card.regex, line.text, query.weights) if line else 0.0
        if not found:
            return candidate
        evidence = replace(candidate.evidence, regex=found)
        return Candidate(candidate.card, evidence, evidence.rank(query.prose))

    def _results(self, query: Query, groups: Sequence[Sequence[Candidate]], n: int, lang: str | None) -> list[Result]:
        """The first n errors, each by its best entry. A score never exceeds the one above it."""
        reader = ResultReader(self._contents, query, self._simplified, lang)
        found = []
        score = 1.0
        for number, group in enumerate(groups[:n]):
            best = group[0]
            score = min(score, confidence(best.evidence, query, _lead(groups, number)))
            found.append(Found([one.card.pk for one in group], best.card.words, best.evidence, score))
        return reader.read(found)

    def show(self, entry_id: str) -> Shown:
        """An entry in full: an exact entry id first, else the best variant of an error_id. Raises UnknownEntry."""
        with self._reading():
            row = self._connection.execute(engine("entry_by_id"), {"id": entry_id}).fetchone()
            if row is None:
                raise UnknownEntry(entry_id)
            (stored,) = read_entries(self._connection, row[0], row[0])
            own = _restore(stored.rows)
            _refuse_bytes(own)
            names = ("code", "severity", "field", "message")
            found = self._connection.execute(engine("problems"), {"entry": stored.pk})
            problems = tuple(dict(zip(names, row, strict=True)) for row in found)
            (error_id, variants) = self._error(stored.pk)
            return Shown(stored.rows.column("id"), error_id, variants, _restore(stored.rows, "flat"), own, problems)

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
                document = _restore(stored.rows, dialect)
                _refuse_bytes(document)
            yield document

    def about(self) -> dict[str, str]:
        """What the file says of itself: versions, tokenizer, sources, counts."""
        return dict(self._connection.execute(engine("about")).fetchall())


def _restore(rows: EntryRows, dialect: str | None = None) -> dict[str, Any]:
    from culdesac.db.documents import restore  # a search, which has to start fast, needs none of it

    return restore(rows, dialect)


def _refuse_bytes(value: Any) -> None:
    """Raise TypeError when a document holds what JSON can't."""
    if isinstance(value, bytes):
        raise TypeError("an entry holds bytes where text belongs")
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _refuse_bytes(member)


def _shares(cards: Sequence[Card], scores: Mapping[int, float]) -> dict[str | None, float]:
    """Each domain's share of the scores: what the query is about, as far as its candidates tell."""
    whole = sum(scores.values()) or 1.0
    shares: dict[str | None, float] = {}
    for card in cards:
        shares[card.domain] = shares.get(card.domain, 0.0) + scores[card.pk] / whole
    return shares


def _lead(groups: Sequence[Sequence[Candidate]], number: int) -> float:
    """How far the first error is above the second, even when only one is asked for; over none it says nothing."""
    return groups[0][0].rank - groups[1][0].rank if number == 0 and len(groups) > 1 else 0.0


def _explained(query: Query, groups: Sequence[Sequence[Candidate]], number: int) -> dict[str, float]:
    """What each part of the evidence adds to the rank of an error, and all that its score rests on."""
    parts = groups[number][0].evidence.explain(query.prose)
    return {**parts, "lead": round(_lead(groups, number), 3), "substance": round(query.substance, 3)}


def _by_rank(candidate: Candidate) -> tuple[float, int]:
    return -candidate.rank, candidate.card.pk


def _group(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates by error, in the order of each error's best."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.card.error_id, []).append(candidate)
    return list(groups.values())
