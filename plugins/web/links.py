"""Ways from Datasette's own pages to ours."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from culdesac.plugins.web import files

_WITH_IDS = ("entries", "search")


def entry_path(datasette: Any, entry_id: str, suffix: str = "") -> str:
    """The address of an entry's page, the base address included."""
    # A segment of dots alone would be resolved away by the browser, encoded or not; such an id has no page.
    return str(datasette.urls.path(f"/entry/{quote(entry_id, safe='/')}{suffix}"))


def menu(datasette: Any) -> list[dict[str, str]]:
    """A line for Datasette's menu."""
    if not files.databases(datasette):
        return []
    return [{"href": str(datasette.urls.path("/search")), "label": "Search errors"}]


def cell(datasette: Any, database: str, table: str | None, column: str, value: Any) -> Markup | None:
    """An entry's id as a link to its page, in the tables that show one."""
    if column != "id" or table not in _WITH_IDS or not isinstance(value, str) or not value:
        return None
    if not files.is_our_database(datasette, database):
        return None
    path = entry_path(datasette, value)
    if len(files.databases(datasette)) > 1:
        path += f"?db={quote(database)}"
    return Markup('<a href="{}">{}</a>').format(path, value)
