"""The Datasette plugin: one thin function for each hook, the work stands in culdesac.plugins.web.

Found through the entry point of the installed package, or by `datasette --plugins-dir plugins/`, which runs this file
alone under another name. Both at once would register every hook twice: the file that Datasette runs alone takes over.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette.plugins import pm
from pluggy import HookimplMarker

from culdesac.plugins.web import (
    access,
    addresses,
    asked_language,
    boxes,
    facets,
    links,
    marking,
    metadata,
    not_found,
    options,
    queries,
    replaced,
    routes,
    stock_words,
    templates,
)  # fmt: skip

# As datasette.hookimpl, but typed.
hookimpl = HookimplMarker("datasette")

if not __name__.startswith("culdesac."):
    # The name of the entry point. set_blocked also takes out what is registered already.
    pm.set_blocked("culdesac")


@hookimpl(trylast=True)
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Replace `escape_fts`: every stock search box then takes any text, Chinese included."""
    boxes.prepare(conn)


@hookimpl(trylast=True)
def filters_from_request(request: Any, database: str, table: str, datasette: Any) -> Any:
    """Rank the view `search`, narrow stock searches to all words, and filter by packages and tags."""
    return boxes.filters(datasette, database, table, request)


@hookimpl
def register_facet_classes() -> list[Any]:
    """Facets over the packages and the tags of entries."""
    return facets.classes()


@hookimpl
def get_metadata(datasette: Any, key: str | None) -> dict[str, Any]:
    """Titles, descriptions, facets, sources and licences of our databases (Datasette 0.65)."""
    return metadata.metadata(datasette, key)


@hookimpl
async def startup(datasette: Any) -> None:
    """Refuse settings that can't be used, and give no two pages one address.

    Datasette 1.0 asks for metadata and queries at the start, too.
    """
    options.options(datasette)
    addresses.make_way(datasette)
    await metadata.register(datasette)
    await queries.register(datasette)


@hookimpl
def canned_queries(datasette: Any, database: str) -> dict[str, Any]:
    """The shipped queries (Datasette 0.65)."""
    return queries.canned(datasette, database)


@hookimpl
def register_routes(datasette: Any) -> list[tuple[str, Any]]:
    """Our pages and the JSON API, if any database is ours."""
    return routes.routes(datasette)


@hookimpl(hookwrapper=True)
def handle_exception(datasette: Any, request: Any, exception: Exception) -> Any:
    """A page of ours where there is none."""
    outcome = yield
    outcome.force_result(not_found.answers(datasette, request, exception, outcome.get_result()))


@hookimpl(tryfirst=True)
def actor_from_request(request: Any) -> None:
    """Remember who asks: a cell isn't told."""
    access.remember(request)


@hookimpl
def asgi_wrapper(datasette: Any) -> Any:
    """Notice a file that was replaced under a running site, and the language that a page is asked for in."""
    watched = replaced.wrapper(datasette)
    return lambda app: watched(asked_language.wrapper(datasette, app))


@hookimpl
def skip_csrf(datasette: Any, scope: dict[str, Any]) -> bool:
    """A search that is posted changes nothing."""
    return routes.is_search(datasette, scope)


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    """Make our templates known under `culdesac/`, and Datasette's own speak the language of the page."""
    templates.add_loader(env)
    marking.prepare(env)


@hookimpl
def extra_css_urls(database: str | None, view_name: str | None, datasette: Any) -> list[str]:
    """Datasette's pages of our files, a little closer."""
    return links.stylesheets(datasette, database, view_name)


@hookimpl
def extra_body_script(table: str | None) -> str | None:
    """The menus of a table's columns in the language of the page."""
    return stock_words.script() if table else None


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """A way to the search page from Datasette's own pages."""
    return links.menu(datasette)


@hookimpl
def render_cell(value: Any, column: str, table: str | None, database: str, datasette: Any) -> Any:
    """An entry's id leads to its page, and a number that means a row reads as that row's label."""
    return links.cell(datasette, database, table, column, value)
