"""Writing responses: what all our routes share, from the policy of a page to the headers that caches go by."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from datasette.utils import await_me_maybe
from datasette.utils.asgi import AsgiStream, Forbidden, Response

from culdesac.db.file import FileError, UnfitFile
from culdesac.db.messages import Lang, noted, translations
from culdesac.plugins.web import caching
from culdesac.plugins.web.asked_language import led
from culdesac.plugins.web.exchange import Refused
from culdesac.plugins.web.labels import language
from culdesac.plugins.web.links import PAGES, static_path
from culdesac.plugins.web.options import options

View = Callable[..., Awaitable[Any]]
JSON = "application/json; charset=utf-8"
# Our pages need nothing but their own stylesheet and script.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
_HTML_HEADERS = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "same-origin"}
# A page of another site that posts JSON asks first, and may go by the answer for a day.
_PREFLIGHT = {"Access-Control-Allow-Headers": "Content-Type, If-None-Match", "Access-Control-Max-Age": "86400"}


async def page(
    datasette: Any, request: Any, template: str, context: Mapping[str, Any], lang: Lang, status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:  # fmt: skip
    """One of our pages."""
    everything = {
        "_": translations(lang).gettext,
        "lang": lang,
        "stylesheet": static_path(datasette, "culdesac.css"),
        "script": static_path(datasette, "culdesac.js"),
        # What every link of a page keeps: its language, and its database where the address names one.
        "kept": urlencode({"lang": lang} | ({"db": request.args["db"]} if request.args.get("db") else {})),
        "home": datasette.urls.instance(),
        "search_path": datasette.urls.path("/search"),
        "overview_path": datasette.urls.path("/overview"),
        "feed_path": datasette.urls.path("/feed.atom") if options(datasette).feed else None,
        **context,
    }
    body = await datasette.render_template(f"culdesac/{template}", everything, request=request, view_name=PAGES)
    if lang == "zh":
        # Links between our own pages say their language, where they lead to the other one, too.
        body = led(datasette, body, ("_lang",))
    return Response.html(body, status=status, headers={**_HTML_HEADERS, **(headers or {})})


def answer_json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response."""
    return Response(json.dumps(body, ensure_ascii=False), status, dict(headers or {}), content_type=JSON)


def _cors(datasette: Any, request: Any) -> dict[str, str]:
    """Headers that let a page of another site read an answer; none when it may not."""
    allowed = options(datasette).cors
    if allowed is True or datasette.cors:
        return {"Access-Control-Allow-Origin": "*"}
    if not allowed:
        return {}
    origin = request.headers.get("origin")
    return {"Vary": "Origin"} | ({"Access-Control-Allow-Origin": origin} if origin in allowed else {})


def view(*methods: str, api: bool = False, vary: tuple[str, ...] = ()) -> Callable[[View], View]:
    """Make a route of a view that answers `methods`, HEAD included with GET; every other gets 405.

    What is refused is said in the route's own form: as JSON (`api`), or as a page. A GET gets a tag and a lifetime;
    one whose tag the client has is answered 304 without running the view.
    """
    methods = (*methods, "HEAD") if "GET" in methods else methods
    allow = ", ".join(methods)

    def decorate(function: View) -> View:
        @wraps(function)
        async def answer(datasette: Any, request: Any) -> Any:
            headers = {"X-Content-Type-Options": "nosniff", **(_cors(datasette, request) if api else {})}
            if vary:
                headers["Vary"] = ", ".join(vary)
            if request.method == "OPTIONS" and "Access-Control-Allow-Origin" in headers:
                headers |= {"Allow": allow, "Access-Control-Allow-Methods": allow, **_PREFLIGHT}
                return Response("", 204, headers)
            kept = request.method in ("GET", "HEAD")
            found = await caching.tag(datasette, request, *vary) if kept else ""
            keeping = {"ETag": found, "Cache-Control": caching.lifetime(datasette, request)} if kept else {}
            if kept and caching.matches(request, found):
                return Response("", 304, headers | keeping)
            response = await _answered(function, datasette, request, methods, api)
            if response.status != 200 or not kept:
                keeping = {"Cache-Control": "no-store"}
            response.headers = {**keeping, **headers, **response.headers}
            return _headless(response) if request.method == "HEAD" else response

        return answer

    return decorate


async def _answered(function: View, datasette: Any, request: Any, methods: tuple[str, ...], api: bool) -> Any:
    """The view's response, or one that says why there is none."""
    try:
        if request.method not in methods:
            raise Refused(
                405, noted("{method} isn't allowed here"), {"method": request.method}, Allow=", ".join(methods)
            )
        return await function(datasette, request)
    except Refused as found:
        refused = found
    except UnfitFile as unfit:
        refused = Refused(500, unfit.message, unfit.values)
    except (FileError, sqlite3.Error):
        refused = Refused(503, noted("the database can't be read at the moment"), Retry_After="5")
    except Forbidden as forbidden:
        if not api:
            return await refuse(datasette, request, forbidden)
        refused = Refused(403, noted("not allowed to see this database"))
    if api:
        return answer_json({"ok": False, "error": str(refused)}, refused.status, refused.headers)
    lang = language(request.args.get("lang"))
    told = {"message": refused.told(lang)}
    return await page(datasette, request, "error.html", told, lang, refused.status, refused.headers)


async def refuse(datasette: Any, request: Any, forbidden: Forbidden) -> Any:
    """What a reader without permission gets: what a plugin has for that, such as a way to log in; else a page."""
    # Importing it loads the plugins, this one among them.
    from datasette.plugins import pm

    own = [plugin for plugin in (pm.get_plugin("datasette.forbidden"),) if plugin]
    ask = pm.subset_hook_caller("forbidden", remove_plugins=own)
    for given in ask(datasette=datasette, request=request, message=str(forbidden)):
        response = await await_me_maybe(given)
        if response is not None:
            return response
    lang = language(request.args.get("lang"))
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    told = {"message": translations(lang).gettext("You may not see this database")}
    return await page(datasette, request, "error.html", told, lang, 403, headers)


def _headless(response: Any) -> Response:
    """The response without its body, its length told where it is known."""
    headers = dict(response.headers)
    if not isinstance(response, AsgiStream):
        body = response.body
        headers["Content-Length"] = str(len(body if isinstance(body, bytes) else body.encode("utf-8", "replace")))
    return Response("", response.status, headers, content_type=response.content_type)
