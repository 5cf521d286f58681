"""One entry on the web: its page, its document as JSON, its Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from datasette.utils.asgi import Response
from markupsafe import Markup

from culdesac.db.messages import noted
from culdesac.plugins.web.access import chosen
from culdesac.plugins.web.entry_extras import graph, side_by_side
from culdesac.plugins.web.exchange import Asked, Refused, clean, in_thread
from culdesac.plugins.web.labels import language
from culdesac.plugins.web.links import SUFFIXES, entry_path, read
from culdesac.plugins.web.not_found import not_found
from culdesac.plugins.web.pool import Edge, pool
from culdesac.plugins.web.respond import answer_json, page, view
from culdesac.queries.engine import Shown, UnknownEntry


async def entry(datasette: Any, request: Any) -> Response:
    """What the address ends with decides the form."""
    views = {"": _page, ".json": _json, ".md": _markdown}
    path = _path(request)
    suffix = next((suffix for suffix in SUFFIXES if path.endswith(suffix)), "")
    answer: Response = await views[suffix](datasette, request)
    return answer


def _path(request: Any) -> str:
    # Datasette routes the path as it came, percent-encoded.
    return clean(unquote(request.url_vars["id"], errors="replace"))


@dataclass(frozen=True, slots=True)
class _Found:
    """An entry with what stands beside it; `whole`: what looks like a suffix belongs to its id."""

    shown: Shown
    whole: bool
    edges: Sequence[Edge] = ()
    variants: Sequence[Mapping[str, Any]] = ()


async def _look_up(datasette: Any, request: Any, suffix: str) -> tuple[str, _Found | None]:
    """The database's name and the entry. Raises for permissions."""
    path = _path(request)
    database = await chosen(datasette, request, request.args.get("db"))
    # An id that ends like a suffix has its own address; where that leaves no doubt, it is understood without.
    names = [path.removesuffix(suffix), path] if suffix else [path]

    def look() -> _Found | None:
        with pool(datasette).engine(database.path) as engine:
            for whole, name in enumerate(names):
                try:
                    shown = engine.show(read(name))
                except UnknownEntry:
                    continue
                if suffix and not whole:
                    return _Found(shown, False)
                ids = (shown.id, shown.error_id)
                return _Found(shown, bool(whole), engine.edges(*ids), engine.side_by_side(*ids))
        return None

    return database.name, await in_thread(datasette, look)


def _others(shown: Shown) -> list[str]:
    return [one for one in shown.variants if one != shown.id]


@view("GET", api=True)
async def _json(datasette: Any, request: Any) -> Response:
    _, found = await _look_up(datasette, request, ".json")
    if found is None:
        raise Refused(404, noted("no entry or error has this id"))
    if found.whole:
        return await _page(datasette, request)
    return answer_json(found.shown.document)


@view("GET")
async def _markdown(datasette: Any, request: Any) -> Response:
    name, found = await _look_up(datasette, request, ".md")
    if found is None or found.whole:
        return await _render(datasette, request, name, found)
    shown = found.shown
    from culdesac.queries.page import markdown

    lang = language(request.args.get("lang"))
    text = markdown(shown.document, lang=lang, problems=shown.problems, variants=_others(shown))
    return Response(text, content_type="text/markdown; charset=utf-8")


@view("GET")
async def _page(datasette: Any, request: Any) -> Response:
    name, found = await _look_up(datasette, request, "")
    return await _render(datasette, request, name, found)


async def _render(datasette: Any, request: Any, name: str, found: _Found | None) -> Response:
    from culdesac.plugins.web.entry_page import render

    if found is None:
        asked = read(_path(request))[:300]
        words = asked.replace("/", " ").replace("-", " ").strip()
        return await not_found(datasette, request, {"asked": asked, "words": words})
    lang = language(request.args.get("lang"))
    shown, urls = found.shown, datasette.urls
    # What every link of the page keeps.
    kept = Asked(lang="zh" if lang == "zh" else None, db=request.args.get("db"))
    title = (shown.document.get("signature_zh") if lang == "zh" else None) or shown.document["signature"]
    around = graph(found.edges, title, lang, lambda entry_id: kept.address(entry_path(datasette, entry_id)))
    ways = {
        key: kept.address(str(urls.path("/search")), **{key: value})
        for key in ("domain", "category")
        if (value := shown.document.get(key))
    }
    article = render(shown.document, lang, problems=shown.problems, graph=around, ways=ways)
    path = entry_path(datasette, shown.id)
    context = {
        "title": title,
        "article": Markup(article),  # escaped by its own template
        "database": name,
        "other_language": kept.address(path, lang=None if lang == "zh" else "zh"),
        "as_json": kept.address(entry_path(datasette, shown.id, ".json"), lang=None),
        "as_markdown": kept.address(entry_path(datasette, shown.id, ".md")),
        "variants": side_by_side(found.variants, lang, lambda entry_id: kept.address(entry_path(datasette, entry_id))),
        "in_data": f"{urls.table(name, 'entries')}?id__exact={quote(shown.id, safe='')}",
    }
    return await page(datasette, request, "entry.html", context, lang)
