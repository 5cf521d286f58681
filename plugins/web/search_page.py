"""Searching on the web: the page with its facets, and the JSON API."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from datasette.utils.asgi import Response

from culdesac.db.messages import Lang, translations
from culdesac.db.text import has_chinese
from culdesac.plugins.web.access import chosen, visible
from culdesac.plugins.web.exchange import MOST_RESULTS, Asked, asked, in_thread
from culdesac.plugins.web.labels import language, verdict
from culdesac.plugins.web.links import entry_path
from culdesac.plugins.web.listing import listing
from culdesac.plugins.web.pool import Facts, pool
from culdesac.plugins.web.respond import answer_json, page, view
from culdesac.plugins.web.result_facets import Counts, Found, Way, facets, filters
from culdesac.plugins.web.result_facets import chosen as narrowed_to
from culdesac.plugins.web.texts import inline, marked, percent
from culdesac.queries.answer import Answer, DeadEnd, Result, Workaround
from culdesac.queries.engine import Filters

_ON_PAGE, _IN_JSON = 10, 5
#: Near misses that are shown where nothing fits, and pages that are named before and after the one shown.
_NEAR_MISSES, _AROUND = 4, 3
#: Steps shown of the best result, and of each other.
_STEPS, _STEPS_OF_OTHERS = 2, 1


@view("GET", "POST", api=True)
async def search_json(datasette: Any, request: Any) -> Response:
    """The JSON API."""
    wanted = await asked(request, strict=True)
    database = await chosen(datasette, request, wanted.db)

    started = time.perf_counter()
    found = await in_thread(datasette, lambda: _answer(datasette, database.path, wanted))
    return answer_json(found, headers=_timing(started))


def _answer(datasette: Any, path: str, wanted: Asked) -> dict[str, Any]:
    """A search's answer; where only filters are given, what passes them, which no score can be given to."""
    chosen, most = filters(wanted), wanted.n or _IN_JSON
    if not wanted.q.strip() and chosen == Filters():
        return Answer(wanted.q).as_dict()
    with pool(datasette).engine(path) as engine:
        if wanted.q.strip():
            return engine.search(wanted.q, most, lang=wanted.lang, filters=chosen).as_dict()
        found = Answer(wanted.q, tuple(listing(engine, chosen).part(engine, 0, most))).as_dict()
    for result in found["results"]:
        result["score"] = None
    return found


@view("GET", "POST")
async def search_page(datasette: Any, request: Any) -> Response:
    """The results page. What is posted and has an address is sent there: it can be shared and reloaded."""
    wanted = await asked(request, strict=False)
    database = await chosen(datasette, request, wanted.db)
    path = str(datasette.urls.path("/search"))
    if request.method == "POST" and not wanted.long:
        return Response.redirect(wanted.address(path), status=303)
    lang = language(wanted.lang)
    other: Lang = "en" if lang == "zh" else "zh"
    started = time.perf_counter()
    shown = await in_thread(datasette, lambda: _shown(datasette, database.path, wanted, lang, path))
    context = {
        **shown,
        "path": path,
        "wanted": wanted,
        "database": database.name,
        "databases": list(await visible(datasette, request)),
        # What has no address has buttons, which post it again from the box.
        "posted": wanted.long,
        "other_language": (Asked(page=wanted.page) if wanted.long else wanted).address(path, lang=other),
        "as_json": f"{path}.json" if wanted.long else _for_json(wanted).address(f"{path}.json"),
    }
    return await page(datasette, request, "search.html", context, lang, headers=_timing(started))


def _for_json(wanted: Asked) -> Asked:
    """The same search for the API, which has no pages."""
    return replace(wanted, n=None, page=None)


def _timing(started: float) -> dict[str, str]:
    return {"Server-Timing": f"search;dur={(time.perf_counter() - started) * 1000:.1f}"}


def _shown(datasette: Any, file: str, wanted: Asked, lang: Lang, path: str) -> dict[str, Any]:
    """What the template shows: the results of a search, a list of what passes the filters, or neither."""
    way = wanted.ways(path)
    common = {"chosen": narrowed_to(wanted, lang, way), "facets": [], "results": []}
    if wanted.q.strip():
        return common | _found(datasette, file, wanted, lang, way)
    if filters(wanted) != Filters():
        return common | _listed(datasette, file, wanted, lang, way)
    return common


def _found(datasette: Any, file: str, wanted: Asked, lang: Lang, way: Way) -> dict[str, Any]:
    with pool(datasette).engine(file) as engine:
        answer = engine.search(wanted.q, MOST_RESULTS, lang=wanted.lang, filters=filters(wanted))
        facts = engine.facts([result.id for result in answer.results], engine.matching(answer.query))
    counts = Counts(wanted, Found(answer, facts))
    # Where nothing fits, a few near misses are enough; whoever wants them all asks for a page of them.
    unsure = bool(answer.results) and not answer.confident
    few = unsure and wanted.page is None and wanted.n is None and len(answer.results) > _NEAR_MISSES
    pages = _Pages(len(answer.results), wanted, way, _NEAR_MISSES if few else None, numbered=unsure)
    shown = answer.results[pages.start : pages.end]
    _, ngettext = translations(lang).gettext, translations(lang).ngettext
    count, matching = len(answer.results), len(counts.errors)
    if unsure:
        told = ngettext("{count} near miss", "{count} near misses", count).format(count=count)
    else:
        told = ngettext("{count} result", "{count} results", count).format(count=count)
    if matching > count:
        told = _("{found}: the best of {count} errors that share its words").format(found=told, count=matching)
    return {
        "results": [
            _result(datasette, result, facts, lang, wanted.db, _STEPS_OF_OTHERS if number or pages.start else _STEPS)
            for number, result in enumerate(shown)
        ],
        "first": pages.start + 1,
        "told": told,
        "pages": [] if few else pages.links(),
        "rest": {**pages.way(1), "count": count} if few else None,
        "confident": answer.confident,
        "relaxed": answer.relaxed,
        "facets": facets(wanted, counts, lang, way),
    }


def _listed(datasette: Any, file: str, wanted: Asked, lang: Lang, way: Way) -> dict[str, Any]:
    with pool(datasette).engine(file) as engine:
        found = listing(engine, filters(wanted))
        count = len(found.errors)
        pages = _Pages(count, wanted, way)
        shown = found.part(engine, pages.start, pages.size)
        facts = engine.facts([result.id for result in shown])
    _, ngettext = translations(lang).gettext, translations(lang).ngettext
    told = ngettext("{count} error ({entries})", "{count} errors ({entries})", count)
    entries = ngettext("{count} entry", "{count} entries", found.entries).format(count=f"{found.entries:,}")
    told = told.format(count=f"{count:,}", entries=entries)
    order = _("{found}, the best documented of more") if found.more else _("{found}, the best documented first")
    return {
        "results": [_result(datasette, result, facts, lang, wanted.db, _STEPS_OF_OTHERS) for result in shown],
        "first": pages.start + 1,
        "told": order.format(found=told),
        "pages": pages.links(),
        "listing": True,
        "facets": facets(wanted, found, lang, way),
    }


class _Pages:
    """Which part of a list a page shows, and the ways to the others."""

    def __init__(self, count: int, wanted: Asked, way: Way, size: int | None = None, *, numbered: bool = False) -> None:
        self.size = size or wanted.n or _ON_PAGE
        self._way, self._numbered = way, numbered
        self._last = max(1, -(-count // self.size))
        # A page that isn't there any more is the last.
        self._at = min(wanted.page or 1, self._last)
        self.start = (self._at - 1) * self.size
        self.end = self.start + self.size

    def links(self) -> list[dict[str, Any]]:
        """The pages around this one, the first and the last."""
        if self._last == 1:
            return []
        near = range(max(1, self._at - _AROUND), min(self._last, self._at + _AROUND) + 1)
        numbers = sorted({1, *near, self._last})
        return [
            {**self.way(number), "number": number, "here": number == self._at, "gap": number - before > 1}
            for before, number in zip([0, *numbers], numbers, strict=False)
        ]

    def way(self, number: int) -> dict[str, Any]:
        """The way to a page; the first is what is shown without a number, unless that is less than a page."""
        page = number if number > 1 or self._numbered else None
        return {"address": self._way(page=page), "set": f"page={page or ''}"}


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
