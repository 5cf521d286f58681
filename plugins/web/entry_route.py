"""One entry on the web: its page, its document as JSON, its Markdown."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

from datasette.utils.asgi import Response
from markupsafe import Markup

from culdesac.plugins.web.access import chosen
from culdesac.plugins.web.exchange import Refused, answer_json, clean, in_thread, page, view
from culdesac.plugins.web.labels import language
from culdesac.plugins.web.links import entry_path
from culdesac.plugins.web.pool import pool
from culdesac.queries.engine import Shown, UnknownEntry

_SUFFIXES = (".json", ".md")


async def entry(datasette: Any, request: Any) -> Response:
    """What is asked for decides the form: an id that is in the file is a page, whatever it ends with."""
    # Datasette routes the path as it came, percent-encoded.
    asked = clean(unquote(request.url_vars["id"], errors="replace"))
    views = {"": _page, ".json": _json, ".md": _markdown}
    suffix = next((suffix for suffix in _SUFFIXES if asked.endswith(suffix)), "")
    answer: Response = await views[suffix](datasette, request)
    return answer


async def _look_up(datasette: Any, request: Any, suffix: str) -> tuple[str, Shown | None, bool]:
    """The database's name, the entry, and whether the id was meant with its suffix. Raises for permissions."""
    asked = clean(unquote(request.url_vars["id"], errors="replace"))
    database = await chosen(datasette, request, request.args.get("db"))

    def look() -> tuple[Shown | None, bool]:
        with pool(datasette).engine(database.path) as engine:
            names = [asked.removesuffix(suffix), asked] if suffix else [asked]
            for whole, name in enumerate(names):
                try:
                    return engine.show(name), bool(whole)
                except UnknownEntry:
                    continue
        return None, False

    shown, whole = await in_thread(datasette, look)
    return database.name, shown, whole


def _problems(shown: Shown) -> list[dict[str, str]]:
    return [dict(zip(("code", "severity", "field", "message"), problem, strict=True)) for problem in shown.problems]


def _others(shown: Shown) -> list[str]:
    return [one for one in shown.variants if one != shown.id]


@view("GET", "HEAD", as_json=True)
async def _json(datasette: Any, request: Any) -> Response:
    _, shown, whole = await _look_up(datasette, request, ".json")
    if shown is None:
        raise Refused(404, "no entry or error has this id")
    if whole:
        return await _page(datasette, request)
    return answer_json(datasette, shown.document)


@view("GET", "HEAD")
async def _markdown(datasette: Any, request: Any) -> Response:
    name, shown, whole = await _look_up(datasette, request, ".md")
    if shown is None or whole:
        return await _render(datasette, request, name, shown)
    from culdesac.queries.page import markdown

    lang = language(request.args.get("lang"))
    text = markdown(shown.document, lang=lang, problems=_problems(shown), variants=_others(shown))
    headers = {"X-Content-Type-Options": "nosniff"}
    return Response(text, headers=headers, content_type="text/markdown; charset=utf-8")


@view("GET", "HEAD")
async def _page(datasette: Any, request: Any) -> Response:
    name, shown, _ = await _look_up(datasette, request, "")
    return await _render(datasette, request, name, shown)


async def _render(datasette: Any, request: Any, name: str, shown: Shown | None) -> Response:
    from culdesac.plugins.web.entry_page import render

    lang = language(request.args.get("lang"))
    if shown is None:
        asked = clean(unquote(request.url_vars["id"], errors="replace"))
        return await page(datasette, request, "unknown.html", {"asked": asked[:300], "database": name}, lang, 404)
    path = entry_path(datasette, shown.id)
    db = f"db={quote(request.args['db'])}" if request.args.get("db") else ""

    def address(path: str, lang: str = "") -> str:
        pairs = "&".join(pair for pair in (db, f"lang={lang}" if lang == "zh" else "") if pair)
        return f"{path}?{pairs}" if pairs else path

    context = {
        "shown": shown,
        "article": Markup(render(shown.document, lang, problems=_problems(shown))),  # escaped by its own template
        "database": name,
        "other_language": address(path, "en" if lang == "zh" else "zh"),
        "as_json": address(entry_path(datasette, shown.id, ".json")),
        "as_markdown": address(entry_path(datasette, shown.id, ".md"), lang),
        "variants": [(one, address(entry_path(datasette, one), lang)) for one in _others(shown)],
        "in_data": f"{datasette.urls.table(name, 'entries')}?id__exact={quote(shown.id, safe='')}",
    }
    return await page(datasette, request, "entry.html", context, lang)
