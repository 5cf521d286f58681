"""Searching on the web: the page with its facets, and the JSON API."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from datasette.utils.asgi import Response
from markupsafe import Markup, escape

from culdesac.plugins.web.access import chosen, visible
from culdesac.plugins.web.exchange import MOST_RESULTS, Asked, answer_json, asked, in_thread, page, view
from culdesac.plugins.web.labels import LABELS, Lang, language
from culdesac.plugins.web.links import entry_path
from culdesac.plugins.web.pool import Facts, pool
from culdesac.queries.answer import Answer, Result

_ON_PAGE = 10
_STEPS = 2
_FACETS = ("domain", "category", "resolvable")
_IN_FACET = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A search for the page: the answer in full, what it would be in all domains, and facts about each result."""

    answer: Answer
    anywhere: Answer
    facts: Mapping[str, Facts]


@view("GET", "HEAD", "POST", as_json=True)
async def search_json(datasette: Any, request: Any) -> Response:
    """The JSON API: Answer.as_dict() as it is."""
    wanted = await asked(request, strict=True)
    database = await chosen(datasette, request, wanted.db)

    def search() -> Answer:
        with pool(datasette).engine(database.path) as engine:
            return engine.search(wanted.q, wanted.n or 5, wanted.domain, wanted.lang)

    started = time.perf_counter()
    answer = await in_thread(datasette, search) if wanted.q.strip() else Answer(wanted.q)
    return answer_json(datasette, answer.as_dict(), headers=_timing(started))


@view("GET", "HEAD", "POST")
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
        "databases": list(await visible(datasette, request.actor)),
        "other_language": None if wanted.long else wanted.address(path, lang="en" if lang == "zh" else "zh"),
        "as_json": None if wanted.long else replace(wanted, category=None, resolvable=None).address(f"{path}.json"),
    }
    return await page(datasette, request, "search.html", context, lang, headers=_timing(started))


def _timing(started: float) -> dict[str, str]:
    return {"Server-Timing": f"search;dur={(time.perf_counter() - started) * 1000:.1f}"}


def _find(datasette: Any, path: str, wanted: Asked) -> Found:
    if not wanted.q.strip():
        return Found(Answer(wanted.q), Answer(wanted.q), {})
    with pool(datasette).engine(path) as engine:
        anywhere = engine.search(wanted.q, MOST_RESULTS, None, wanted.lang)
        answer = engine.search(wanted.q, MOST_RESULTS, wanted.domain, wanted.lang) if wanted.domain else anywhere
        return Found(answer, anywhere, engine.facts([result.id for result in (*anywhere.results, *answer.results)]))


def _results(datasette: Any, wanted: Asked, found: Found, lang: Lang, path: str) -> dict[str, Any]:
    """What the template shows of a search."""
    kept = [result for result in found.answer.results if _passes(result, found.facts, wanted)]
    shown = kept[: wanted.n or _ON_PAGE]
    return {
        "results": [_result(datasette, result, found.facts, lang, wanted.db) for result in shown],
        "count": len(kept),
        "more": {"address": wanted.address(path, n=MOST_RESULTS), "set": f"n={MOST_RESULTS}"},
        "all_shown": len(shown) == len(kept),
        "confident": bool(shown) and shown[0].confident,
        "relaxed": found.answer.relaxed,
        "any_result": bool(found.answer.results),
        "facets": [facet for name in _FACETS if (facet := _facet(name, wanted, found, lang, path))],
    }


def _value(result: Result, facts: Mapping[str, Facts], facet: str) -> str | None:
    if facet == "category":
        return facts[result.id].category if result.id in facts else None
    found: str | None = getattr(result, facet)
    return found


def _passes(result: Result, facts: Mapping[str, Facts], wanted: Asked, without: str | None = None) -> bool:
    return all(name == without or getattr(wanted, name) in (None, _value(result, facts, name)) for name in _FACETS)


def _facet(name: str, wanted: Asked, found: Found, lang: Lang, path: str) -> dict[str, Any] | None:
    """A facet counts the results that the other facets leave, so that a count is what a click gives."""
    results: Iterable[Result] = found.anywhere.results if name == "domain" else found.answer.results
    left = [result for result in results if _passes(result, found.facts, wanted, without=name)]
    counts = Counter(_value(result, found.facts, name) for result in left)
    counts.pop(None, None)
    selected = getattr(wanted, name)
    if selected:
        counts[selected] = sum(_passes(result, found.facts, wanted) for result in found.answer.results)
    if not counts:
        return None
    ordered = sorted(counts.items(), key=lambda item: (item[0] != selected, -item[1], str(item[0])))
    say = LABELS[lang]
    return {
        "title": say[name],
        "values": [
            {
                "label": say.get(f"resolvable_{value}", value) if name == "resolvable" else value,
                "count": count,
                "selected": value == selected,
                "address": wanted.address(path, **{name: None if value == selected else value, "n": None}),
                "set": f"{name}={'' if value == selected else value}",
            }
            for value, count in ordered[:_IN_FACET]
        ],
    }


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
        "address": query.address(entry_path(datasette, result.id)),
        "category": facts[result.id].category if result.id in facts else None,
        "resolvable": LABELS[lang].get(f"resolvable_{result.resolvable}"),
        "snippet": None if snippet.text in (title, "") else marked(snippet.text, snippet.marks),
        "workarounds": [
            {"text": (step.text_zh if chinese else None) or step.action or step.how, "rate": percent(step.success_rate)}
            for step in result.workarounds[:_STEPS]
        ],
        "dead_ends": [
            {
                "text": end.action or end.why_fails,
                "why": end.why_fails if end.action else None,
                "rate": percent(end.fail_rate),
            }
            for end in result.dead_ends[:_STEPS]
        ],
        "fix_rate": percent(result.fix_success_rate),
        "score": percent(result.score),
    }


def percent(rate: float | None) -> str | None:
    """A share from 0 to 1 as people read it; a value out of range is no share and isn't shown."""
    if not isinstance(rate, (int, float)) or not 0 <= rate <= 1:
        return None
    return f"{rate:.0%}"


def marked(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """A text with its hits in <mark>; everything is escaped. Hits with no letter or digit between are one."""
    joined: list[tuple[int, int]] = []
    for start, stop in marks:
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    parts, end = [], 0
    for start, stop in joined:
        parts += [escape(text[end:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
        end = stop
    return Markup("").join([*parts, escape(text[end:])])
