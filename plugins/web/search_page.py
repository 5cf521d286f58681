"""Searching on the web: the page with its facets, and the JSON API."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from datasette.utils.asgi import Response

from culdesac.db.messages import Lang
from culdesac.db.text import has_chinese
from culdesac.plugins.web.access import chosen, visible
from culdesac.plugins.web.exchange import MOST_RESULTS, Asked, asked, in_thread
from culdesac.plugins.web.labels import language, verdict
from culdesac.plugins.web.links import entry_path
from culdesac.plugins.web.pool import Facts, pool
from culdesac.plugins.web.respond import answer_json, page, view
from culdesac.plugins.web.result_facets import IN_ENGINE, Found, facets, passes
from culdesac.plugins.web.result_facets import chosen as narrowed_to
from culdesac.plugins.web.texts import inline, marked, percent
from culdesac.queries.answer import Answer, Result

_ON_PAGE = 10
_STEPS = 2


@view("GET", "POST", api=True)
async def search_json(datasette: Any, request: Any) -> Response:
    """The JSON API: Answer.as_dict() as it is."""
    wanted = await asked(request, strict=True)
    database = await chosen(datasette, request, wanted.db)

    def search() -> Answer:
        with pool(datasette).engine(database.path) as engine:
            return engine.search(
                wanted.q, wanted.n or 5, wanted.domain, wanted.lang, os=wanted.os, package=wanted.package
            )

    started = time.perf_counter()
    answer = await in_thread(datasette, search) if wanted.q.strip() else Answer(wanted.q)
    return answer_json(answer.as_dict(), headers=_timing(started))


@view("GET", "POST")
async def search_page(datasette: Any, request: Any) -> Response:
    """The results page. What is posted and has an address is sent there: it can be shared and reloaded."""
    wanted = await asked(request, strict=False)
    database = await chosen(datasette, request, wanted.db)
    path = str(datasette.urls.path("/search"))
    if request.method == "POST" and not wanted.long:
        return Response.redirect(wanted.address(path), status=303)
    lang = language(wanted.lang)
    started = time.perf_counter()
    found = await in_thread(datasette, lambda: _find(datasette, database.path, wanted))
    context = {
        **_results(datasette, wanted, found, lang, path),
        "path": path,
        "wanted": wanted,
        "database": database.name,
        "databases": list(await visible(datasette, request)),
        "other_language": None if wanted.long else wanted.address(path, lang="en" if lang == "zh" else "zh"),
        "as_json": None if wanted.long else _for_json(wanted).address(f"{path}.json"),
    }
    return await page(datasette, request, "search.html", context, lang, headers=_timing(started))


def _for_json(wanted: Asked) -> Asked:
    """The same search for the API, as far as that knows it."""
    return Asked(wanted.q, wanted.db, wanted.lang, wanted.domain, package=wanted.package, os=wanted.os)


def _timing(started: float) -> dict[str, str]:
    return {"Server-Timing": f"search;dur={(time.perf_counter() - started) * 1000:.1f}"}


def _find(datasette: Any, path: str, wanted: Asked) -> Found:
    if not wanted.q.strip():
        return Found(Answer(wanted.q), Answer(wanted.q), {})
    narrowed = {name: value for name in IN_ENGINE if (value := getattr(wanted, name))}
    with pool(datasette).engine(path) as engine:
        anywhere = engine.search(wanted.q, MOST_RESULTS, lang=wanted.lang)
        answer = engine.search(wanted.q, MOST_RESULTS, lang=wanted.lang, **narrowed) if narrowed else anywhere
        return Found(answer, anywhere, engine.facts([result.id for result in (*anywhere.results, *answer.results)]))


def _results(datasette: Any, wanted: Asked, found: Found, lang: Lang, path: str) -> dict[str, Any]:
    """What the template shows of a search."""
    kept = [result for result in found.answer.results if passes(result, found, wanted)]
    size = wanted.n or _ON_PAGE
    pages = max(1, -(-len(kept) // size))
    # A page that isn't there any more is the last.
    at = min(wanted.page or 1, pages)
    shown = kept[(at - 1) * size : at * size]
    return {
        "results": [_result(datasette, result, found.facts, lang, wanted.db) for result in shown],
        "first": (at - 1) * size + 1,
        "count": len(kept),
        "pages": [_page_link(wanted, path, number, at) for number in range(1, pages + 1)] if pages > 1 else [],
        "confident": bool(kept) and kept[0].confident,
        "relaxed": found.answer.relaxed,
        "any_result": bool(found.answer.results),
        "facets": facets(wanted, found, lang, path),
        "chosen": narrowed_to(wanted, lang, path),
    }


def _page_link(wanted: Asked, path: str, number: int, at: int) -> dict[str, Any]:
    page = None if number == 1 else number
    address = wanted.address(path, page=page)
    return {"number": number, "here": number == at, "address": address, "set": f"page={page or ''}"}


def _result(datasette: Any, result: Result, facts: Mapping[str, Facts], lang: Lang, db: str | None) -> dict[str, Any]:
    chinese = lang == "zh"
    title, other = result.signature, result.signature_zh
    if chinese and other:
        title, other = other, title
    query = Asked(lang=lang if chinese else None, db=db)
    snippet = result.snippet
    return {
        "result": result,
        # A snippet of the whole title would say it twice: its hits are marked in the title itself.
        "title": marked(title, snippet.marks) if snippet.text == title else title,
        "other": other,
        "only_english": chinese and not has_chinese(result.signature, result.signature_zh),
        "address": query.address(entry_path(datasette, result.id)),
        "category": facts[result.id].category if result.id in facts else None,
        "resolvable": verdict(result.resolvable, lang),
        "snippet": None if snippet.text in (title, "") else marked(snippet.text, snippet.marks),
        "workarounds": [
            {
                "text": inline((step.text_zh if chinese else None) or step.action or step.how or "", 220),
                "rate": percent(step.success_rate),
            }
            for step in result.workarounds[:_STEPS]
        ],
        "dead_ends": [
            {
                "text": inline(end.action or end.why_fails or "", 160),
                "why": inline(end.why_fails or "", 160) if end.action else None,
                "rate": percent(end.fail_rate),
            }
            for end in result.dead_ends[:_STEPS]
        ],
        "fix_rate": percent(result.fix_success_rate),
        "score": percent(result.score),
    }
