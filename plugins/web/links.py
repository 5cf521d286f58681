"""Ways from Datasette's own pages to ours."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from culdesac.db.messages import noted, translations
from culdesac.plugins.web import files
from culdesac.plugins.web.access import may_view_entries, request_at_hand
from culdesac.plugins.web.asked_language import SPOKEN
from culdesac.plugins.web.columns import TABLES
from culdesac.plugins.web.sql import web
from culdesac.plugins.web.templates import static_hash

_WITH_IDS = ("entries", "search")
#: Columns that hold the number of a row, and of which table.
_FOREIGN = {"entry": "entries", "to_entry": "entries", "workaround": "workarounds", "dead_end": "dead_ends"}
#: So much of a label is shown.
_LABEL = 200
#: What our own pages are called in Datasette's hooks.
PAGES = "culdesac"
#: What an address of an entry may end with, for another form of it.
SUFFIXES = (".json", ".md")
_DOTS = re.compile(r"(?<![^/])\.+(?![^/])|\.(?=(?:json|md)\Z)")
_SLASHES = re.compile(r"(?<![^/])/|/\Z")
_TILDED = re.compile("~(2E|2F|7E)")


def entry_path(datasette: Any, entry_id: str, suffix: str = "") -> str:
    """The address of an entry's page, the base address included."""
    return str(datasette.urls.path(f"/entry/{written(entry_id)}{suffix}"))


def written(entry_id: str) -> str:
    """An id as it stands in an address: percent-encoded, and what an address can't hold as such after a tilde.

    A dot that would begin `.json` or `.md`, or belongs to a segment of dots alone (which clients resolve away), is
    `~2E`; a slash without a segment before or after it (which servers merge) is `~2F`; a tilde is `~7E`.
    """
    tilded = _SLASHES.sub("~2F", _DOTS.sub(lambda dots: "~2E" * len(dots[0]), entry_id.replace("~", "~7E")))
    return quote(tilded, safe="/")


def read(path: str) -> str:
    """The id of which `written` made a part of an address, percent-encoding taken off already."""
    return _TILDED.sub(lambda code: chr(int(code[1], 16)), path)


def static_path(datasette: Any, name: str) -> str:
    """The address of a static file of ours; another when the file is."""
    return str(datasette.urls.path(_static(name)))


def _static(name: str) -> str:
    return f"/-/culdesac/{name}?{static_hash(name)}"


def menu(datasette: Any) -> list[dict[str, str]]:
    """A line for Datasette's menu."""
    if not files.databases(datasette):
        return []
    label = translations(SPOKEN.get().lang).gettext(noted("Search errors"))
    return [{"href": str(datasette.urls.path("/search")), "label": label}]


def stylesheets(datasette: Any, database: str | None, view: str | None) -> list[str]:
    """Our stylesheet for Datasette's pages of our files."""
    if not database or view == PAGES or not files.is_our_database(datasette, database):
        return []
    # Datasette puts the prefix before it.
    return [_static("tables.css")]


def cell(datasette: Any, database: str, table: str | None, column: str, value: Any) -> Any:
    """An entry's id as a link to its page, in the tables that show one and in what a query gives; the number of another
    row, on the page of one, as that row's label with a way to the entry: an awaitable. In tables Datasette makes labels
    itself, for a hundred rows at once."""
    if not files.is_our_database(datasette, database):
        return None
    # Datasette 1.0 makes labels on the page of a row, too.
    pk = value.get("value") if isinstance(value, dict) and _of_a_row(request_at_hand()) else value
    if table in TABLES and column in _FOREIGN and isinstance(pk, int):
        return _foreign(datasette, database, _FOREIGN[column], pk)
    if column != "id" or not isinstance(value, str) or not value:
        return None
    if table not in _WITH_IDS and (table is not None or "/" not in value):
        return None
    return Markup('<a href="{}">{}</a>').format(_page(datasette, database, value), value)


def _page(datasette: Any, database: str, entry_id: str) -> str:
    path = entry_path(datasette, entry_id)
    return f"{path}?db={quote(database)}" if len(files.databases(datasette)) > 1 else path


def _of_a_row(request: Any) -> bool:
    """Whether a request is for the page of one row."""
    return request is not None and "pks" in (request.scope.get("url_route") or {}).get("kwargs", {})


async def _foreign(datasette: Any, database: str, table: str, pk: int) -> Markup | None:
    """A row by its label, with the ways to it and to the page of its entry; None where the reader may not see it."""
    request = request_at_hand()
    if request is None or not await may_view_entries(datasette, request.actor, database):
        return None
    row = (await datasette.databases[database].execute(web(f"label_{table}"), {"pk": pk})).first()
    if row is None:
        return None
    label = row["label"] if len(row["label"]) <= _LABEL else row["label"][:_LABEL] + "…"
    way = Markup('<a href="{}/{}">{}</a>&nbsp;<em>{}</em> · <a href="{}">{}</a>')
    _ = translations(SPOKEN.get().lang).gettext
    address = _page(datasette, database, row["id"])
    return way.format(datasette.urls.table(database, table), pk, label, pk, address, _("page of the entry"))
