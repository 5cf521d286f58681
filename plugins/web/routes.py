"""Our addresses. They are there only where a database is ours: elsewhere Datasette is as if we weren't."""

from __future__ import annotations

import re
from typing import Any

from datasette.utils.asgi import NotFound, Response

from culdesac.plugins.web import files
from culdesac.plugins.web.addresses import local
from culdesac.plugins.web.dump import entries_ndjson
from culdesac.plugins.web.entry_route import entry
from culdesac.plugins.web.home import home
from culdesac.plugins.web.openapi import openapi_json
from culdesac.plugins.web.options import SWITCHED, options
from culdesac.plugins.web.overview import overview, overview_json
from culdesac.plugins.web.search_page import search_json, search_page
from culdesac.plugins.web.signposts import feed, llms, robots, sitemap
from culdesac.plugins.web.templates import static_files

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_SEARCHES = ("/search", "/search.json")
#: What answers at an address that a site can switch off, by the option that does.
_SWITCHED = {
    "dump": entries_ndjson,
    "feed": feed,
    "llms": llms,
    "openapi": openapi_json,
    "robots": robots,
    "sitemap": sitemap,
}


def routes(datasette: Any) -> list[tuple[str, Any]]:
    """Routes in the form of the hook register_routes. A database of such a name has another address (`addresses`)."""
    if not files.databases(datasette):
        return []
    settings = options(datasette)
    return [
        # Datasette's own index reads `format`, and ours gives way to it where the site has made one.
        (r"^/(?P<format>)$", home),
        (r"^/search$", search_page),
        (r"^/search\.json$", search_json),
        (r"^/overview$", overview),
        (r"^/overview\.json$", overview_json),
        (r"^/entry/(?P<id>.+)$", entry),
        (r"^/-/culdesac/(?P<name>[a-z]+\.(?:css|js))$", static),
        # One that is off may be another plugin's; what nothing answers is told in not_found.
        *((f"^{re.escape(SWITCHED[name])}$", one) for name, one in _SWITCHED.items() if getattr(settings, name)),
    ]


def is_search(datasette: Any, scope: dict[str, Any]) -> bool:
    """Whether a request is one of our searches, which change nothing and need no token."""
    return local(datasette.setting("base_url"), scope["path"]) in _SEARCHES and bool(files.databases(datasette))


async def static(request: Any) -> Response:
    """The stylesheet or the script. Its address has a hash of its content, so it may be kept."""
    name = request.url_vars["name"]
    body = static_files().get(name)
    if body is None:
        raise NotFound("no such file")
    if request.method not in ("GET", "HEAD"):
        return Response.text("not allowed\n", status=405, headers={"Allow": "GET, HEAD"})
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
    return Response(body, headers=headers, content_type=_TYPES[name.rpartition(".")[2]])
