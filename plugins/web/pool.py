"""Engines for the web: as many as there are searches at one time, each on the file as it is now."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from culdesac.plugins.web.files import Stamp, stamp
from culdesac.plugins.web.sql import web
from culdesac.queries.answer import Result, Snippet, Why
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.query import analyse

#: An entry matches a query when it shares this much of what the best one shares, by weight of words.
_LEAST_SHARE = 1 / 3


class Facts(NamedTuple):
    """What a result's line and the facets show and an Answer doesn't say."""

    error_id: str
    domain: str | None
    category: str | None
    resolvable: str | None
    verification_tier: str | None
    os: str | None
    country: str | None
    chinese: str | None
    packages: tuple[str, ...]


class Example(NamedTuple):
    """An entry to start from."""

    id: str
    signature: str
    signature_zh: str | None
    domain: str | None
    error_id: str


class Newest(NamedTuple):
    """An entry for the feed; `date` begins as a date does, but a stranger wrote it."""

    id: str
    signature: str
    signature_zh: str | None
    root_cause: str | None
    domain: str | None
    category: str | None
    date: str


class Edge(NamedTuple):
    """An edge of the graph: the entry's own (`outward`), or one that another entry draws to it."""

    outward: bool
    kind: str
    id: str | None
    entry_id: str | None
    signature: str | None
    signature_zh: str | None
    probability: float | None
    condition: str | None
    distinction: str | None


#: The facets of which an entry has one value at most, in the order of listed.sql.
LISTED = ("domain", "category", "resolvable", "verification_tier", "os", "country", "chinese")


def _passing(filters: Filters) -> str:
    """A condition for each filter, by an index; the values are bound."""
    chosen = [name for name, value in filters.parameters().items() if value is not None]
    special = {"package": "passing_package", "chinese": "passing_chinese"}
    conditions = [web(special.get(name, "passing_column")).replace("column_", name) for name in chosen]
    return " AND ".join(conditions) or "1"


def listed_sql(filters: Filters) -> str:
    """The statement of `WebEngine.listed`."""
    return web("listed").replace("/* passing */", _passing(filters))


class WebEngine(Engine):
    """The engine, and the look-ups that only pages need."""

    def matching(self, text: str) -> list[int]:
        """The entries that share with a text at least a third of the weight of words that the best one shares."""
        query = analyse(self._terms, text, self.entries, self._simplified)
        shared = self._proposer.shared(query, {})
        least = _LEAST_SHARE * max(shared.values(), default=0.0)
        return [pk for pk, weight in shared.items() if weight >= least]

    def facts(self, ids: Sequence[str], pks: Sequence[int] = ()) -> dict[str, Facts]:
        """Facts about entries, by id."""
        rows = self._connection.execute(web("facts"), {"ids": json.dumps(ids), "pks": json.dumps(pks)}).fetchall()
        packages: dict[int, list[str]] = {}
        for entry, package in self._connection.execute(web("packages"), {"pks": json.dumps([row[0] for row in rows])}):
            packages.setdefault(entry, []).append(package)
        return {entry_id: Facts._make([*columns, tuple(packages.get(pk, ()))]) for pk, entry_id, *columns in rows}

    def listed(self, filters: Filters, most: int) -> list[tuple[Any, ...]]:
        """The best documented entries that pass: pk, error_id, and what they have of each of `LISTED`."""
        return self._connection.execute(listed_sql(filters), {**filters.parameters(), "most": most}).fetchall()

    def listed_values(self, name: str, filters: Filters, most: int) -> dict[str, int]:
        """What a facet has among the best documented entries that pass all other filters: errors by value."""
        others = replace(filters, **{name: None})
        column = "CASE WHEN signature_zh <> '' THEN 'yes' END" if name == "chinese" else name
        sql = web("listed_packages" if name == "package" else "listed_facet")
        sql = sql.replace("/* passing */", _passing(others)).replace("/* column */", column)
        return dict(self._connection.execute(sql, {**others.parameters(), "most": most}).fetchall())

    def described(self, pks: Sequence[int]) -> list[Result]:
        """Entries as results of a search that asked for nothing: no line matches, and no score is more than 0."""
        return [
            Result(
                id=one.id, error_id=one.error_id,
                variants=tuple(one.variants[other] for other in dict.fromkeys([pk, *one.variants])),
                score=0.0, confident=False, signature=one.signature, signature_zh=one.signature_zh, domain=one.domain,
                resolvable=one.resolvable, fix_success_rate=one.fix_success_rate, why=Why(False, 1, ""),
                snippet=Snippet("signature", one.signature), workarounds=one.workarounds, dead_ends=one.dead_ends,
            )
            for pk, one in zip(pks, self._contents.get(pks), strict=True)
        ]  # fmt: skip

    def domains(self) -> list[tuple[str, int]]:
        """Every domain and how many entries it has, the largest first."""
        return [(domain, count) for domain, count in self._connection.execute(web("domains"))]

    def best(self, limit: int) -> list[Example]:
        """The best documented entries."""
        return [Example(*row) for row in self._connection.execute(web("best"), {"limit": limit})]

    def newest(self, limit: int) -> list[Newest]:
        """The entries that were changed last."""
        return [Newest(*row) for row in self._connection.execute(web("newest"), {"limit": limit})]

    def ids(self, offset: int, limit: int) -> list[tuple[str, str | None]]:
        """A stretch of all entries: id and date."""
        return self._connection.execute(web("ids"), {"offset": offset, "limit": limit}).fetchall()

    def edges(self, entry_id: str, error_id: str) -> list[Edge]:
        """The edges of an entry, its own first."""
        rows = self._connection.execute(web("graph"), {"id": entry_id, "error_id": error_id})
        return [Edge(bool(outward), *columns) for outward, *columns in rows]

    def side_by_side(self, entry_id: str, error_id: str) -> list[dict[str, Any]]:
        """The variants of an error, this entry first."""
        cursor = self._connection.execute(web("side_by_side"), {"id": entry_id, "error_id": error_id})
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def figures(self, name: str) -> list[tuple[Any, ...]]:
        """The rows of a figure of the overview."""
        return self._connection.execute(web(f"overview_{name}")).fetchall()


class Pool:
    """Open engines that nobody uses at the moment, by path. An engine of a file that was replaced isn't lent again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[str, list[tuple[Stamp | None, WebEngine]]] = {}

    @contextmanager
    def engine(self, path: str) -> Iterator[WebEngine]:
        """Borrow an engine. Raises FileError when the file can't be used."""
        now = stamp(path)
        engine = self._take(path, now)
        if engine is None:
            engine = WebEngine(Path(path))
        try:
            yield engine
        except BaseException:
            engine.close()
            raise
        with self._lock:
            self._idle.setdefault(path, []).append((now, engine))

    def _take(self, path: str, now: Stamp | None) -> WebEngine | None:
        with self._lock:
            idle = self._idle.pop(path, [])
            fresh = [(then, engine) for then, engine in idle if then == now]
            stale = [engine for then, engine in idle if then != now]
            found = fresh.pop()[1] if fresh else None
            self._idle[path] = fresh
        for engine in stale:
            engine.close()
        return found

    def close(self) -> None:
        """Close what is idle."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for engines in idle.values():
            for _, engine in engines:
                engine.close()


_pools: weakref.WeakKeyDictionary[Any, Pool] = weakref.WeakKeyDictionary()


def pool(datasette: Any) -> Pool:
    """The pool of a Datasette."""
    found = _pools.get(datasette)
    if found is None:
        found = _pools[datasette] = Pool()
        weakref.finalize(datasette, found.close)
    return found
