"""The facets of the results page: what each result has of each, the counts, and the ways to add or remove one.

The engine searches within a domain, an operating system or a package. The other facets narrow what it found, so their
counts are exactly what a click gives; a click on one of the engine's own can find more than the search without it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from culdesac.db.messages import Lang, translations
from culdesac.plugins.web.exchange import Asked
from culdesac.plugins.web.labels import FACET_TITLES, FACET_VALUES
from culdesac.plugins.web.pool import Facts
from culdesac.queries.answer import Answer, Result

_SHOWN = 8
#: Facets that the engine searches within.
IN_ENGINE = ("domain", "os", "package")


@dataclass(frozen=True, slots=True)
class Found:
    """A search for the page: the answer in full, what it would be without the engine's filters, facts about each."""

    answer: Answer
    anywhere: Answer
    facts: Mapping[str, Facts]


def _one(value: str | None) -> tuple[str, ...]:
    return (value,) if value else ()


#: What a result has of each facet, by the parameter's name, in the order of the page.
FACETS: dict[str, Callable[[Result, Facts], tuple[str, ...]]] = {
    "domain": lambda result, _: _one(result.domain),
    "category": lambda _, facts: _one(facts.category),
    "resolvable": lambda result, _: _one(result.resolvable),
    "verification_tier": lambda _, facts: _one(facts.verification_tier),
    "package": lambda _, facts: facts.packages,
    "os": lambda _, facts: _one(facts.os),
    "country": lambda _, facts: _one(facts.country),
    "chinese": lambda _, facts: _one("yes" if facts.chinese else None),
}


def passes(result: Result, found: Found, wanted: Asked, without: str | None = None) -> bool:
    """Whether a result has what is asked for, one facet overlooked."""
    facts = found.facts.get(result.id)
    return all(
        name == without
        or (asked := getattr(wanted, name)) is None
        or (facts is not None and asked in of(result, facts))
        for name, of in FACETS.items()
    )


def _base(name: str, found: Found) -> Iterable[Result]:
    """The results that a facet counts: one of the engine's own looks beyond what the engine was told to leave out."""
    if name not in IN_ENGINE:
        return found.answer.results
    return {result.id: result for result in (*found.answer.results, *found.anywhere.results)}.values()


def facets(wanted: Asked, found: Found, lang: Lang, path: str) -> list[dict[str, Any]]:
    """The facets that have anything to choose. Each counts the results that the others leave."""
    return [facet for name in FACETS if (facet := _facet(name, wanted, found, lang, path))]


def _facet(name: str, wanted: Asked, found: Found, lang: Lang, path: str) -> dict[str, Any] | None:
    counts: Counter[str] = Counter()
    for result in _base(name, found):
        facts = found.facts.get(result.id)
        if facts is not None and passes(result, found, wanted, without=name):
            counts.update(FACETS[name](result, facts))
    selected = getattr(wanted, name)
    if selected:
        counts[selected] = sum(passes(result, found, wanted) for result in found.answer.results)
    if not counts:
        return None
    ordered = sorted(counts.items(), key=lambda item: (item[0] != selected, -item[1], item[0]))
    values = [_value(name, value, count, wanted, lang, path) for value, count in ordered]
    return {"name": name, "title": _title(name, lang), "values": values[:_SHOWN], "more": values[_SHOWN:]}


def _title(name: str, lang: Lang) -> str:
    return translations(lang).gettext(FACET_TITLES[name])


def _value(name: str, value: str, count: int, wanted: Asked, lang: Lang, path: str) -> dict[str, Any]:
    selected = value == getattr(wanted, name)
    new = None if selected else value
    return {
        "label": translations(lang).gettext(known) if (known := FACET_VALUES.get((name, value))) else value,
        "count": count,
        "selected": selected,
        "address": wanted.address(path, **{name: new, "page": None}),
        # A search without an address is posted again, with one change.
        "set": f"{name}={new or ''}",
    }


def chosen(wanted: Asked, lang: Lang, path: str) -> list[dict[str, Any]]:
    """What the search is narrowed to, each with the way to take it off."""
    return [
        {**_value(name, value, 0, wanted, lang, path), "title": _title(name, lang)}
        for name in FACETS
        if (value := getattr(wanted, name))
    ]
