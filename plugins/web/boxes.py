"""Datasette's own search boxes: any text is a search, and every language is understood.

The stock box matches `escape_fts(:search)` against the index of its table. Ours gives *any* of the words that the
index knows, the rarest first within the engine's budget: bm25 then orders the ranked view `search` best. The stock
table pages are ordered by quality, not by rank, and there people expect a filter: their rows are narrowed to those
with *all* of the words, wherever that leaves any. A text with no known word finds nothing; no text is an error.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from datasette.filters import FilterArguments

from culdesac.db.file import APPLICATION_ID, SCHEMA_VERSION
from culdesac.db.text import fold, identifier_parts, words
from culdesac.plugins.web.files import is_our_database
from culdesac.plugins.web.sql import web
from culdesac.queries.query import Query, analyse
from culdesac.queries.sql import engine
from culdesac.queries.terms import Terms

#: A valid expression that matches no row.
NOTHING = '""'
#: More words than this aren't asked for all at once: it is a log, not a filter.
_MOST_REQUIRED = 32
#: The tables whose stock box we narrow.
_NARROWED = ("entries", "workarounds", "dead_ends")
#: Tables that the parameter `_package` filters: their pk is an entry's.
_BY_PACKAGE = ("entries", "search")


def prepare(connection: sqlite3.Connection) -> None:
    """Give a connection to a file of ours our own `escape_fts`; leave every other as it is."""
    if _is_ours(connection):
        connection.create_function("escape_fts", 1, _escape_fts(connection), deterministic=True)


def _is_ours(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return (application, version) == (APPLICATION_ID, SCHEMA_VERSION)


def _escape_fts(connection: sqlite3.Connection) -> Callable[[object], str]:
    reader = Reader(connection)

    # A page runs the same search a dozen times, once for each facet.
    @lru_cache(maxsize=8)
    def escape_fts(text: object) -> str:
        try:
            return reader.read(text).expression
        except sqlite3.Error:
            # A time limit that ends the look-up ends the query around it, too.
            return NOTHING

    return escape_fts


class Reader:
    """Reads a box's text with the words and characters of the connection's own file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._folds: dict[int, int] | None = None

    def read(self, text: object) -> Query:
        """The text as the engine reads a query: any value that SQL can hold."""
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        (entries,) = self._connection.execute(engine("entry_count")).fetchone()
        return analyse(Terms(self._connection), "" if text is None else str(text), entries, self.folds)

    def folds(self) -> Mapping[int, int]:
        """The file's table of characters, read when the first Chinese is."""
        if self._folds is None:
            rows = self._connection.execute(engine("folds"))
            self._folds = {ord(source): ord(target) for source, target in rows if len(source) == len(target) == 1}
        return self._folds


def required(query: Query) -> tuple[str, ...]:
    """The known words that a reader typed, without the parts of names; empty when they are too many."""
    parts = set(identifier_parts(query.text)) - set(words(fold(query.text, dict[int, int])))
    found = tuple(word for word in query.weights if word not in parts)
    return found if len(found) <= _MOST_REQUIRED else ()


def filters(datasette: Any, database: str, table: str, request: Any) -> Any:
    """What we add to the filters of a table's page: a FilterArguments, or an awaitable that gives one, or None."""
    if not is_our_database(datasette, database):
        return None

    async def inner() -> FilterArguments:
        found = FilterArguments([], {}, [], {})
        if table == "search":
            _rank(request, found)
        elif table in _NARROWED and request.args.get("_search"):
            await _narrow(datasette.databases[database], table, request.args["_search"], found)
        if table in _BY_PACKAGE:
            _by_package(request.args.getlist("_package"), found)
        return found

    return inner


def _rank(request: Any, found: FilterArguments) -> None:
    """The view `search` has the index inside: matching it gives bm25 order by `rank`."""
    text = request.args.get("_search")
    found.extra_context.update({"supports_search": True, "search": text or ""})
    if text:
        found.where_clauses.append("match match escape_fts(:search)")
        found.params["search"] = text
        found.human_descriptions.append(f'search matches "{text}"')


async def _narrow(database: Any, table: str, text: str, found: FilterArguments) -> None:
    rows = web(f"every_word_in_{table}").strip()

    def look(connection: sqlite3.Connection) -> str | None:
        words = required(Reader(connection).read(text))
        if len(words) < 2:
            return None
        every = " AND ".join(f'"{word}"' for word in words)
        return every if connection.execute(rows, {"culdesac_every": every}).fetchone() else None

    every = await database.execute_fn(look)
    if every:
        found.where_clauses.append(f"pk in ({rows})")
        found.params["culdesac_every"] = every


def _by_package(packages: list[str], found: FilterArguments) -> None:
    chosen = sorted(set(packages))[:10]
    if chosen:
        found.where_clauses.append(f"pk in ({web('entries_of_packages').strip()})")
        found.params["culdesac_packages"] = json.dumps(chosen)
        found.human_descriptions.extend(f'package is "{package}"' for package in chosen)
