"""A facet over a child table: Datasette has none for one entry that names several packages."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from datasette.database import QueryInterrupted
from datasette.facets import Facet
from datasette.utils import path_with_added_args, path_with_removed_args

from culdesac.plugins.web.files import is_our_database

#: The facet's configuration and the tables it works on.
PACKAGE = {"package": "package"}
_TABLES = ("entries", "search")
_COUNTS = """
select package as value, count(distinct entry) as count from versions
where entry in (select pk from ({sql})) and package is not null and package <> ''
group by package order by count desc, value limit {limit}
"""


class PackageFacet(Facet):  # type: ignore[misc]
    """How many of the entries found name each package; `?_package=` keeps those that do."""

    type = "package"

    async def suggest(self) -> list[dict[str, Any]]:
        """Nothing: it is on by our metadata."""
        return []

    async def facet_results(self) -> tuple[list[dict[str, Any]], list[str]]:
        """The counts, in Datasette's form, and the name when time ran out."""
        configs = self.get_configs()
        if not configs or self.table not in _TABLES or not is_our_database(self.ds, self.database):
            return [], []
        size = self.get_facet_size()
        sql = _COUNTS.format(sql=self.sql, limit=size + 1)
        limit = self.ds.setting("facet_time_limit_ms")
        try:
            rows = (await self.ds.databases[self.database].execute(sql, self.params, custom_time_limit=limit)).rows
        except QueryInterrupted:
            return [], ["package"]
        return [
            {
                "name": "package",
                "type": self.type,
                "hideable": configs[0]["source"] != "metadata",
                "toggle_url": self.ds.urls.path(path_with_removed_args(self.request, {"_facet_package": "package"})),
                "results": [self._value(row["value"], row["count"]) for row in rows[:size]],
                "truncated": len(rows) > size,
            }
        ], []

    def _value(self, package: str, count: int) -> dict[str, Any]:
        pair = {"_package": package}
        selected = ("_package", package) in parse_qsl(self.request.query_string, keep_blank_values=True)
        path = path_with_removed_args(self.request, pair) if selected else path_with_added_args(self.request, pair)
        return {
            "value": package,
            "label": package,
            "count": count,
            "toggle_url": self.ds.absolute_url(self.request, self.ds.urls.path(path)),
            "selected": selected,
        }
