"""Facets over child tables: Datasette has none for one entry that names several packages, or has several tags."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from datasette.database import QueryInterrupted
from datasette.facets import Facet
from datasette.filters import FilterArguments
from datasette.utils import path_with_added_args, path_with_removed_args

from culdesac.plugins.web.files import is_our_database
from culdesac.plugins.web.sql import web

#: The tables whose rows are entries: their pk is an entry's.
OF_ENTRIES = ("entries", "search")
#: So many values are asked for at once, at most.
_MOST_CHOSEN = 10


@dataclass(frozen=True, slots=True)
class Child:
    """What an entry has any number of: a column of a table whose column `entry` says whose each row is."""

    name: str
    table: str
    column: str

    @property
    def argument(self) -> str:
        """The argument of an address that keeps the entries with a value; with all, where it stands several times."""
        return f"_{self.name}"

    def chosen(self, arguments: Any) -> list[str]:
        """The values that the arguments of a request ask for."""
        return sorted(set(arguments.getlist(self.argument)))[:_MOST_CHOSEN]

    def sql(self, name: str) -> str:
        """A statement over a child table, over this one."""
        return web(name).strip().replace("table_", self.table).replace("column_", self.column)


#: What tables of entries have a facet and a filter for, beside their columns.
CHILDREN = (Child("package", "versions", "package"), Child("tag", "tags", "value"))


def add_filter(child: Child, arguments: Any, found: FilterArguments) -> None:
    """Keep the entries that have every value of a child that is asked for."""
    chosen = child.chosen(arguments)
    if chosen:
        values = f"culdesac_{child.table}"
        found.where_clauses.append(f"pk in ({child.sql('entries_of_children').replace('values_', values)})")
        found.params[values] = json.dumps(chosen)
        found.human_descriptions.extend(f'{child.name} is "{value}"' for value in chosen)


class ChildFacet(Facet):  # type: ignore[misc]
    """How many of the entries found have each value of a child. It isn't shown where they have none."""

    def __init__(self, child: Child, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.type, self._child = child.name, child

    async def suggest(self) -> list[dict[str, Any]]:
        """Nothing: it is on by our metadata."""
        return []

    async def facet_results(self) -> tuple[list[dict[str, Any]], list[str]]:
        """The counts, in Datasette's form, and the name when time ran out."""
        name, configs = self._child.name, self.get_configs()
        if not configs or self.table not in OF_ENTRIES or not is_our_database(self.ds, self.database):
            return [], []
        size = self.get_facet_size()
        sql = self._child.sql("children_counted").replace("/* entries */", self.sql)
        params = {**dict(self.params), "culdesac_most": size + 1}
        limit = self.ds.setting("facet_time_limit_ms")
        try:
            rows = (await self.ds.databases[self.database].execute(sql, params, custom_time_limit=limit)).rows
        except QueryInterrupted:
            return [], [name]
        if not rows:
            return [], []
        return [
            {
                "name": name,
                "type": self.type,
                "hideable": configs[0]["source"] != "metadata",
                "toggle_url": self.ds.urls.path(path_with_removed_args(self.request, {f"_facet_{name}": name})),
                "results": [self._value(row["value"], row["entries"]) for row in rows[:size]],
                "truncated": len(rows) > size,
            }
        ], []

    def _value(self, value: str, count: int) -> dict[str, Any]:
        pair = {self._child.argument: value}
        selected = (self._child.argument, value) in parse_qsl(self.request.query_string, keep_blank_values=True)
        path = path_with_removed_args(self.request, pair) if selected else path_with_added_args(self.request, pair)
        return {
            "value": value,
            "label": value,
            "count": count,
            "toggle_url": self.ds.absolute_url(self.request, self.ds.urls.path(path)),
            "selected": selected,
        }


def classes() -> list[Callable[..., Facet]]:
    """What makes our facets, for Datasette to call."""
    return [partial(ChildFacet, child) for child in CHILDREN]
