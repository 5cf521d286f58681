"""Engines for the web: as many as there are searches at one time, each on the file as it is now."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from culdesac.plugins.web.files import Stamp, stamp
from culdesac.queries.engine import Engine

_FACTS = """
SELECT entries.id, entries.category, entries.verification_tier, entries.error_code
FROM json_each(:ids) AS given
CROSS JOIN entries ON entries.id = given.value
"""
_DOMAINS = """
SELECT domain, count(*) FROM entries WHERE domain IS NOT NULL GROUP BY domain ORDER BY count(*) DESC, domain
"""
_BEST = "SELECT id, signature, signature_zh, domain FROM entries ORDER BY pk LIMIT :limit"


class Facts(NamedTuple):
    """What a result's line shows and an Answer doesn't say."""

    category: str | None
    verification_tier: str | None
    error_code: str | None


class Example(NamedTuple):
    """An entry to start from."""

    id: str
    signature: str
    signature_zh: str | None
    domain: str | None


class WebEngine(Engine):
    """The engine, and the few look-ups that only pages need."""

    def facts(self, ids: Sequence[str]) -> dict[str, Facts]:
        """Facts about entries, by id."""
        rows = self._connection.execute(_FACTS, {"ids": json.dumps(list(ids))})
        return {entry_id: Facts(*columns) for entry_id, *columns in rows}

    def domains(self) -> list[tuple[str, int]]:
        """Every domain and how many entries it has, the largest first."""
        return [(domain, count) for domain, count in self._connection.execute(_DOMAINS)]

    def best(self, limit: int) -> list[Example]:
        """The best documented entries."""
        return [Example(*row) for row in self._connection.execute(_BEST, {"limit": limit})]


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
