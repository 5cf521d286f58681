"""What programs look for on a site: robots.txt, sitemap.xml, llms.txt, and an Atom feed of the newest entries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from datasette.utils.asgi import Response

from culdesac.db.messages import noted, translations
from culdesac.plugins.web import files
from culdesac.plugins.web.access import chosen, visible
from culdesac.plugins.web.exchange import Refused, in_thread
from culdesac.plugins.web.labels import language
from culdesac.plugins.web.links import written
from culdesac.plugins.web.metadata import sources
from culdesac.plugins.web.options import options
from culdesac.plugins.web.pool import Newest, pool
from culdesac.plugins.web.respond import view

_TEXT, _XML = "text/plain; charset=utf-8", "application/xml; charset=utf-8"
_ATOM, _MARKDOWN = "application/atom+xml; charset=utf-8", "text/markdown; charset=utf-8"
#: So many addresses stand in one site map (50,000 may: https://www.sitemaps.org/protocol.html), for it to be made fast.
_IN_MAP = 1_000
_IN_FEED = 50
_SUMMARY = 600
# What XML 1.0 can't say, escaped or not.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Site:
    """Absolute addresses of a site, with the database that was asked for."""

    def __init__(self, datasette: Any, request: Any) -> None:
        self._datasette, self._request = datasette, request
        self.db = request.args.get("db")
        # A site map has a thousand of them.
        self._entries: str = datasette.absolute_url(request, datasette.urls.path("/entry/"))

    def address(self, path: str, **parameters: Any) -> str:
        """The address of a page of ours."""
        return self._absolute(str(self._datasette.urls.path(path)), parameters)

    def entry(self, entry_id: str) -> str:
        """The address of an entry's page."""
        query = f"?{urlencode({'db': self.db})}" if self.db else ""
        return f"{self._entries}{written(entry_id)}{query}"

    def _absolute(self, path: str, parameters: Mapping[str, Any]) -> str:
        pairs = {key: value for key, value in {"db": self.db, **parameters}.items() if value}
        found: str = self._datasette.absolute_url(self._request, f"{path}?{urlencode(pairs)}" if pairs else path)
        return found


async def _rendered(
    datasette: Any, request: Any, template: str, context: dict[str, Any], content_type: str
) -> Response:
    text = await datasette.render_template(f"culdesac/{template}", context, request=request, view_name="culdesac")
    return Response(text.strip() + "\n", content_type=content_type)


@view("GET", api=True)
async def robots(datasette: Any, request: Any) -> Response:
    """Entries are for everyone; searches and Datasette's endless combinations of filters are no pages to collect."""
    ours = await visible(datasette, request)
    site = _Site(datasette, request)
    closed = [datasette.urls.path("/search"), datasette.urls.path("/-/"), *map(datasette.urls.database, ours)]
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed)] if ours else ["User-agent: *", "Disallow: /"]
    if options(datasette).sitemap:
        for number, name in enumerate(ours):
            site.db = name if number else None
            lines.append(f"Sitemap: {site.address('/sitemap.xml')}")
    return Response("\n".join(lines) + "\n", content_type=_TEXT)


@view("GET", api=True)
async def sitemap(datasette: Any, request: Any) -> Response:
    """Every entry's address; of a very large file a list of the maps that hold them."""
    database = await chosen(datasette, request, request.args.get("db"))
    site = _Site(datasette, request)
    part = request.args.get("page")
    if part is not None and not (len(part) < 6 and part.isascii() and part.isdigit() and int(part) > 0):
        raise Refused(400, noted("page: expected a whole number from 1"))

    def look() -> tuple[int, list[tuple[str, str | None]]]:
        with pool(datasette).engine(database.path) as engine:
            if not part and engine.entries > _IN_MAP:
                return engine.entries, []
            return engine.entries, engine.ids((int(part or 1) - 1) * _IN_MAP, _IN_MAP)

    count, found = await in_thread(datasette, look)
    if part and not found:
        raise Refused(404, noted("page: there is no such part of the site map"))
    maps = [] if found or part else [site.address("/sitemap.xml", page=at + 1) for at in range(-(-count // _IN_MAP))]
    pages = [(site.address(path), None) for path in ("/", "/overview")] if part in (None, "1") else []
    context = {"maps": maps, "pages": [*pages, *((site.entry(name), _day(date)) for name, date in found)]}
    return await _rendered(datasette, request, "sitemap.xml", context, _XML)


@view("GET", api=True)
async def llms(datasette: Any, request: Any) -> Response:
    """What a language model should know to use the site (https://llmstxt.org)."""
    database = await chosen(datasette, request, request.args.get("db"))
    about = files.about(database.path)
    context = {
        "site": _Site(datasette, request),
        "options": options(datasette),
        "counts": {name: about.get(f"count/{name}") for name in ("entries", "errors", "domains")},
        "sources": sources(about),
    }
    return await _rendered(datasette, request, "llms.txt", context, _MARKDOWN)


@view("GET", api=True)
async def feed(datasette: Any, request: Any) -> Response:
    """The newest entries as Atom (RFC 4287). The feed is as old as its newest entry: the clock has no part in it."""
    database = await chosen(datasette, request, request.args.get("db"))
    lang = language(request.args.get("lang"))
    site = _Site(datasette, request)

    def look() -> list[Newest]:
        with pool(datasette).engine(database.path) as engine:
            return engine.newest(_IN_FEED)

    newest = [(one, moment) for one in await in_thread(datasette, look) if (moment := _moment(one.date))]
    context = {
        "_": translations(lang).gettext,
        "lang": lang,
        "home": site.address("/", lang=lang if lang == "zh" else None),
        "own": site.address("/feed.atom", lang=lang if lang == "zh" else None),
        "database": _xml(database.name),
        "updated": newest[0][1] if newest else "1970-01-01T00:00:00Z",
        "entries": [_item(site, one, moment, chinese=lang == "zh") for one, moment in newest],
    }
    return await _rendered(datasette, request, "feed.xml", context, _ATOM)


def _item(site: _Site, one: Newest, moment: str, *, chinese: bool) -> dict[str, str]:
    title = (one.signature_zh if chinese else None) or one.signature
    texts = {"title": title, "summary": (one.root_cause or "")[:_SUMMARY], "category": one.domain or ""}
    return {**{key: _xml(text) for key, text in texts.items()}, "address": site.entry(one.id), "updated": moment}


def _xml(text: str) -> str:
    """A stranger's text as XML can hold it; it is escaped by the template."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _moment(date: str) -> str | None:
    """A date as Atom wants it; None when it isn't one."""
    try:
        found = datetime.fromisoformat(date[:40])
    except ValueError:
        return None
    found = found.replace(tzinfo=found.tzinfo or UTC)
    try:
        return found.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError:
        return None


def _day(date: str | None) -> str | None:
    moment = _moment(date) if date else None
    return moment and moment[:10]
