"""The language of Datasette's own pages of our files: asked for by `?_lang=zh`, kept by every link of a Chinese page.

Datasette takes an argument without an underscore for a column's filter, so the parameter is `_lang` here; `lang` means
the same where no column or parameter can have that name. Hooks that get no request read the language from `SPOKEN`. The
JSON of these pages is the same in every language, and the pages of a file that isn't ours stay as they are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from datasette.utils import tilde_decode

from culdesac.db.messages import Lang
from culdesac.plugins.web import files
from culdesac.plugins.web.columns import TABLES
from culdesac.plugins.web.labels import language, tagged
from culdesac.queries.shipped import shipped

Asgi = Callable[..., Awaitable[None]]


class Spoken(NamedTuple):
    """The language that Datasette's words are said in, and whether the page is one of ours to translate."""

    lang: Lang
    ours: bool


_NOT_OURS = Spoken("en", False)
#: What the hooks that answer the present request go by.
SPOKEN: ContextVar[Spoken] = ContextVar("culdesac_spoken", default=_NOT_OURS)
#: Our own pages, which read `lang`.
_PAGES = ("", "search", "overview", "entry")
_LINK = re.compile(r'(<a\b[^<>]*?\shref=")([^"<>]*)(")')
_FORM = re.compile(r'(<form\b[^<>]*?\saction="([^"<>]*)"[^<>]*>)(.*?</form>)', re.S)


def wrapper(datasette: Any, app: Asgi) -> Asgi:
    """An ASGI middleware: notes the language that is asked for, and gives a Chinese page links to Chinese ones."""

    async def answered(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        spoken, query = _asked(datasette, scope)
        token = SPOKEN.set(spoken)
        try:
            sent = _Leader(datasette, send) if spoken.lang == "zh" else send
            await app({**scope, "query_string": query}, receive, sent)
        finally:
            SPOKEN.reset(token)

    return answered


def _asked(datasette: Any, scope: dict[str, Any]) -> tuple[Spoken, bytes]:
    """What is spoken on the page that a request is for, and its query string, where `lang` has become `_lang`."""
    query: bytes = scope["query_string"]
    routes = _routes(datasette)
    first, rest = _parts(datasette, scope["path"])
    if not routes or (first and (first not in routes or "." in rest.rpartition("/")[2])):
        # Another file's page, one of our own, or a form for programs.
        return _NOT_OURS, query
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    lang = dict(pairs).get("lang")
    if first and lang and tagged(lang) and _is_no_argument(rest.partition("/")[0], dict(pairs)):
        pairs = [pair for pair in pairs if pair[0] not in ("lang", "_lang")] + [("_lang", lang)]
        query = urlencode(pairs).encode("latin-1")
    return Spoken(language(dict(pairs).get("_lang")), True), query


def _is_no_argument(named: str, arguments: dict[str, str]) -> bool:
    """Whether `lang` can only mean the language: of a database's page, our tables and the shipped queries."""
    if not named:
        return "sql" not in arguments
    return named in TABLES or any(named == query.name for query in shipped())


def _routes(datasette: Any) -> set[str]:
    """The first segments of our databases' addresses."""
    return {database.route for database in files.databases(datasette).values()}


def _parts(datasette: Any, path: str) -> tuple[str, str]:
    """A path's first segment, decoded, and the rest; the form that the first one ends with (".json") is rest, too."""
    base = datasette.setting("base_url")
    path = path[len(base) :] if path.startswith(base) else path.removeprefix("/")
    first, _, rest = path.partition("/")
    route, dot, form = first.partition(".")
    return tilde_decode(route), rest if rest or not dot else dot + form


class _Leader:
    """Sends a response on; a page whole, with its links led to Chinese pages."""

    def __init__(self, datasette: Any, send: Any) -> None:
        self._datasette, self._send = datasette, send
        self._start: dict[str, Any] | None = None
        self._body = b""

    async def __call__(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send(self._start)
                page = led(self._datasette, self._body.decode("utf-8", "replace"))
                await self._send({**message, "body": page.encode("utf-8")})


def _is_page(start: dict[str, Any]) -> bool:
    """Whether a response is HTML of which nobody has said how long it is: Datasette's."""
    headers = {name.lower(): value for name, value in start["headers"]}
    return headers.get(b"content-type", b"").startswith(b"text/html") and b"content-length" not in headers


def led(datasette: Any, page: str, names: tuple[str, ...] = ("lang", "_lang")) -> str:
    """A Chinese page whose links and forms lead to Chinese pages: ours (`lang`) and Datasette's (`_lang`)."""
    routes = _routes(datasette)

    def parameter(address: str) -> str | None:
        name = _parameter(datasette, routes, address)
        return name if name in names else None

    def link(found: re.Match[str]) -> str:
        address = html.unescape(found[2])
        name = parameter(address)
        return found[1] + html.escape(_chinese(address, name)) + found[3] if name else found[0]

    def form(found: re.Match[str]) -> str:
        name = parameter(html.unescape(found[2]))
        if not name or f'name="{name}"' in found[3]:
            return found[0]
        return f'{found[1]}<input type="hidden" name="{name}" value="zh">{found[3]}'

    return _FORM.sub(form, _LINK.sub(link, page))


def _parameter(datasette: Any, routes: set[str], address: str) -> str | None:
    """The parameter by which an address takes a language; None when it takes none, or says one already."""
    path, _, query = address.partition("#")[0].partition("?")
    if not path.startswith(datasette.setting("base_url")) or {"lang", "_lang"} & dict(parse_qsl(query)).keys():
        return None
    first, rest = _parts(datasette, path)
    if first in _PAGES:
        # What follows `entry` is an id; a dot elsewhere is a form for programs.
        return "lang" if (first == "entry" or not rest) and not path.endswith(".json") else None
    return "_lang" if first in routes and "." not in rest.rpartition("/")[2] else None


def _chinese(address: str, name: str) -> str:
    start, hash_, fragment = address.partition("#")
    return f"{start}{'&' if '?' in start else '?'}{name}=zh{hash_}{fragment}"
