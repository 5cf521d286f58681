"""Datasette's own search boxes: any text is a search, and every language is understood.

The stock box matches `escape_fts(:search)` against the index of its table. Ours gives *any* of what the text asks for
(culdesac.queries.units); a page's rows are then narrowed to those that have *all* of it. Where no row has, the rarest
unit stays, and of the others each, rarest first, that leaves any row: a box is never wider than its rarest unit. A text
with no known word finds nothing; no text is an error.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from datasette.filters import FilterArguments

from culdesac.db.file import APPLICATION_ID, SCHEMA_VERSION
from culdesac.db.text import fold
from culdesac.plugins.web.facets import CHILDREN, OF_ENTRIES, add_filter
from culdesac.plugins.web.files import is_our_database
from culdesac.plugins.web.sql import web
from culdesac.queries.glossary import glossary, mainland
from culdesac.queries.query import Query, analyse
from culdesac.queries.sql import engine
from culdesac.queries.terms import Terms
from culdesac.queries.units import NOTHING, Unit, units

#: So many units are asked for, the rarest: at most three times as many questions to the index.
_MOST_UNITS = 16
#: So many rows of a unit are counted: what has more is common.
_MOST_COUNTED = 10_000
#: The tables whose stock box we narrow.
_NARROWED = ("entries", "workarounds", "dead_ends")


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
            return " OR ".join(unit.expression for unit in reader.any_of(text)) or NOTHING
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
        (entries,) = self._connection.execute(engine("entry_count")).fetchone()
        return analyse(Terms(self._connection), _text(text), entries, self.folds)

    def units(self, text: object) -> list[Unit]:
        """What the text asks for, the rarest first."""
        return self._units(self.read(text))

    def any_of(self, text: object) -> list[Unit]:
        """What rows may be chosen by: what the text asks for, and what the parts of its words do."""
        query = self.read(text)
        return list(dict.fromkeys([*self._units(query), *self._parts(query)]))

    def _parts(self, query: Query) -> list[Unit]:
        """The parts of the words of the glossary that it says, as words that were typed."""
        parts = [part for concept in query.concepts for part in glossary().parts(concept.word)]
        return [unit for part in dict.fromkeys(parts[:_MOST_UNITS]) for unit in self.units(part)]

    def _units(self, query: Query) -> list[Unit]:
        return units(query, fold(mainland(query.text, self.folds()), self.folds))[:_MOST_UNITS]

    def narrowed(self, text: object, table: str, column: str = "") -> str:
        """The FTS5 expression for as much of it as rows of a table have together, in one column or in any; NOTHING if
        they have none of it."""
        rows = web(f"matching_{table}").strip()
        scope = f"{{{column}}} : " if column else ""

        def held(asked: list[Unit]) -> int:
            every = _every(asked, scope)
            return len(self._connection.execute(rows, {"culdesac_every": every}).fetchmany(_MOST_COUNTED))

        query = self.read(text)
        counts = {unit: held([unit]) for unit in self._units(query)}
        if not any(counts.values()):
            # No row says what a whole word of the glossary does.
            counts = {unit: held([unit]) for unit in self._parts(query)}
        there = sorted(filter(counts.get, counts), key=counts.__getitem__)
        if len(there) > 1 and not held(there):
            there = _added([], there, held)
        # 显存不足 narrows 显存, though what it means in English (out of memory) may be said of other memory.
        starts = (start for concept in query.concepts for start in glossary().starts(concept.word))
        inner = [unit for start in islice(starts, _MOST_UNITS) for unit in self.units(start)]
        return _every(_added(there, inner, held), scope) if there else NOTHING

    def folds(self) -> Mapping[int, int]:
        """The file's table of characters, read when the first Chinese is."""
        if self._folds is None:
            rows = self._connection.execute(engine("folds"))
            self._folds = {ord(source): ord(target) for source, target in rows if len(source) == len(target) == 1}
        return self._folds


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _every(asked: list[Unit], scope: str) -> str:
    return f"{scope}({' AND '.join(unit.expression for unit in asked)})"


def _added(kept: list[Unit], more: list[Unit], held: Callable[[list[Unit]], int]) -> list[Unit]:
    """The units with each of the others, in order, that leaves any row."""
    for unit in more:
        if unit not in kept and held([*kept, unit]):
            kept = [*kept, unit]
    return kept


def filters(datasette: Any, database: str, table: str, request: Any) -> Any:
    """What we add to the filters of a table's page: a FilterArguments, or an awaitable that gives one, or None."""
    if not is_our_database(datasette, database):
        return None

    async def inner() -> FilterArguments:
        found = FilterArguments([], {}, [], {})
        if table == "search":
            await _rank(datasette.databases[database], request, found)
        elif table in _NARROWED and request.args.get("_searchmode") != "raw":
            await _narrow(datasette.databases[database], table, request.args, found)
        for child in CHILDREN if table in OF_ENTRIES else ():
            add_filter(child, request.args, found)
        return found

    return inner


async def _rank(database: Any, request: Any, found: FilterArguments) -> None:
    """The view `search` has the index inside: matching it gives bm25 order by `rank`."""
    text = request.args.get("_search")
    found.extra_context.update({"supports_search": True, "search": text or ""})
    if text:
        found.where_clauses.append("match match :culdesac_every")
        found.params["culdesac_every"] = await _narrowed(database, text, "entries")
        found.human_descriptions.append(f'search matches "{text}"')


async def _narrow(database: Any, table: str, args: Any, found: FilterArguments) -> None:
    """Beside the stock box's own clauses, for all columns or else for some, as Datasette chooses between them."""
    columns = await database.table_columns(f"{table}_fts")
    named = {column: args[f"_search_{column}"] for column in columns if f"_search_{column}" in args}
    searches = {"": args["_search"]} if "_search" in args else named
    every = [await _narrowed(database, text, table, column) for column, text in searches.items() if text]
    if every:
        found.where_clauses.append(f"pk in ({web(f'matching_{table}').strip()})")
        found.params["culdesac_every"] = NOTHING if NOTHING in every else " AND ".join(every)


async def _narrowed(database: Any, text: str, table: str, column: str = "") -> str:
    narrowed: str = await database.execute_fn(lambda connection: Reader(connection).narrowed(text, table, column))
    return narrowed
