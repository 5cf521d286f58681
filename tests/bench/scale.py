"""How long a search takes in a large file: queries of 3, 15 and 40 words, of any kind and of the commonest kind."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from culdesac.queries.engine import Engine

_SIZES = (3, 15, 40)
_QUERIES = 40
HEAD = (
    "| entries | "
    + " | ".join(f"{size} {kind}" for kind in ("words", "common") for size in _SIZES)
    + " |\n"
    + "|---" * 7
    + "|"
)


def row(path: Path) -> str:
    """A line of the table: median and 95th percentile in ms for each kind and size, in one warm process."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    source = random.Random(1)
    with Engine(path) as engine:
        cells = [
            _measure(engine, lambda make=make, size=size: make(connection, source, engine.entries, size))  # type: ignore[misc]
            for make in (_any_words, _common_words)
            for size in _SIZES
        ]
        return f"| {engine.entries:,} | {' | '.join(cells)} |"


def _measure(engine: Engine, make: Callable[[], str]) -> str:
    times = []
    for _ in range(_QUERIES):
        query = make()
        started = time.perf_counter()
        engine.search(query)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    return f"{times[len(times) // 2]:.1f} / {times[int(0.95 * len(times))]:.1f}"


def _words(connection: sqlite3.Connection, source: random.Random, entries: int) -> list[str]:
    """The words of four random entries."""
    found: list[str] = []
    for _ in range(4):
        pk = source.randint(1, entries)
        sql = "SELECT signature || ' ' || root_cause FROM entries_fts_tokens WHERE pk = ?"
        found += connection.execute(sql, (pk,)).fetchone()[0].split()
    return found


def _any_words(connection: sqlite3.Connection, source: random.Random, entries: int, size: int) -> str:
    words = _words(connection, source, entries)
    return " ".join(source.sample(words, min(size, len(words))))


def _common_words(connection: sqlite3.Connection, source: random.Random, entries: int, size: int) -> str:
    words = sorted(set(_words(connection, source, entries)))
    sql = "SELECT term FROM terms WHERE term IN (SELECT value FROM json_each(?)) ORDER BY entries DESC, term LIMIT ?"
    return " ".join(term for (term,) in connection.execute(sql, (json.dumps(words), size)))
