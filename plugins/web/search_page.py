"""Searching on the web: the page with its facets, and the JSON API."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
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
from culdesac.plugins.web.result_facets import Counts, Found, Way, facets, filters
from culdesac.plugins.web.result_facets import chosen as narrowed_to
from culdesac.plugins.web.texts import inline, marked, percent
from culdesac.queries.answer import Answer, DeadEnd, Result, Workaround

_ON_PAGE = 10
#: Steps shown of the best result, and of each other.
_STEPS, _STEPS_OF_OTHERS = 2, 1


@view("GET", "POST", api=True)
async def search_json(datasette: Any, request: Any) -> Response:
    """The JSON API: Answer.as_dict() as it is."""
    wanted = await asked(request, strict=True)
    database = await chosen(datasette, request, wanted.db)

    def search() -> Answer:
        with pool(datasette).engine(database.path) as engine:
            return engine.search(wanted.q, wanted.n or 5, lang=wanted.lang, filters=filters(wanted))

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
    """The same search for the API, which has no pages."""
    return replace(wanted, n=None, page=None)


def _timing(started: float) -> dict[str, str]:
    return {"Server-Timing": f"search;dur={(time.perf_counter() - started) * 1000:.1f}"}


def _find(datasette: Any, path: str, wanted: Asked) -> Found:
    if not wanted.q.strip():
        return Found(Answer(wanted.q), {})
    with pool(datasette).engine(path) as engine:
        answer = engine.search(wanted.q, MOST_RESULTS, lang=wanted.lang, filters=filters(wanted))
        return Found(answer, engine.facts([result.id for result in answer.results], engine.matching(answer.query)))


def _results(datasette: Any, wanted: Asked, found: Found, lang: Lang, path: str) -> dict[str, Any]:
    """What the template shows of a search."""
    kept = found.answer.results
    counts = Counts(wanted, found)
    way = wanted.ways(path)
    size = wanted.n or _ON_PAGE
    pages = max(1, -(-len(kept) // size))
    # A page that isn't there any more is the last.
    at = min(wanted.page or 1, pages)
    shown = kept[(at - 1) * size : at * size]
    return {
        "results": [
            _result(datasette, result, found.facts, lang, wanted.db, _STEPS_OF_OTHERS if number or at > 1 else _STEPS)
            for number, result in enumerate(shown)
        ],
        "first": (at - 1) * size + 1,
        "count": len(kept),
        "matching": len(counts.errors),
        "pages": [_page_link(way, number, at) for number in range(1, pages + 1)] if pages > 1 else [],
        "confident": bool(kept) and kept[0].confident,
        "relaxed": found.answer.relaxed,
        "facets": facets(wanted, counts, lang, way),
        "chosen": narrowed_to(wanted, lang, way),
    }


def _page_link(way: Way, number: int, at: int) -> dict[str, Any]:
    page = None if number == 1 else number
    address = way(page=page)
    return {"number": number, "here": number == at, "address": address, "set": f"page={page or ''}"}


def _result(
    datasette: Any, result: Result, facts: Mapping[str, Facts], lang: Lang, db: str | None, steps: int
) -> dict[str, Any]:
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
        "workarounds": _best([_workaround(step, chinese=chinese) for step in result.workarounds], steps),
        "dead_ends": _best([_dead_end(end) for end in result.dead_ends], steps),
        "fix_rate": percent(result.fix_success_rate),
        "score": percent(result.score),
    }


def _best(steps: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Those with the highest claimed rate; equals stay in their author's order."""
    return sorted(steps, key=lambda step: -step["sure"] if step["rate"] else 0.0)[:most]


def _workaround(step: Workaround, *, chinese: bool) -> dict[str, Any]:
    text = (step.text_zh if chinese else None) or step.action or step.how or ""
    return {"text": inline(text, 220), "rate": percent(step.success_rate), "sure": step.success_rate}


def _dead_end(end: DeadEnd) -> dict[str, Any]:
    return {
        "text": inline(end.action or end.why_fails or "", 160),
        "why": inline(end.why_fails or "", 160) if end.action else None,
        "rate": percent(end.fail_rate),
        "sure": end.fail_rate,
    }
