"""The facets of the results page: the ways to narrow a search, each with how many errors of the whole file it leaves.

A list shows the few dozen that the engine weighed; the facets count every error that matches: that shares with the
query at least a third of the weight of words that the best one shares (`WebEngine.matching`), and those listed. What
is chosen goes to the engine, which then proposes among those entries alone: so a choice brings up what was too far
down the list before. A list shows the best candidates, so it may be longer or shorter than a count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from culdesac.db.messages import Lang, translations
from culdesac.plugins.web.exchange import Asked
from culdesac.plugins.web.labels import FACET_TITLES, FACET_VALUES
from culdesac.plugins.web.pool import Facts
from culdesac.queries.answer import Answer
from culdesac.queries.engine import Filters

#: Values shown before the rest is folded, values at most, and how many results decide which come first.
_SHOWN, _MOST, _TELLING = 8, 60, 3
#: What makes the addresses of a search, with changes.
Way = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Found:
    """A search for the page: the answer in full, and facts about every entry that matches, by id."""

    answer: Answer
    facts: Mapping[str, Facts]


def _one(value: str | None) -> tuple[str, ...]:
    return (value,) if value else ()


#: What an entry has of each facet, by the parameter's name, in the order of the page.
FACETS: dict[str, Callable[[Facts], tuple[str, ...]]] = {
    "domain": lambda facts: _one(facts.domain),
    "category": lambda facts: _one(facts.category),
    "resolvable": lambda facts: _one(facts.resolvable),
    "verification_tier": lambda facts: _one(facts.verification_tier),
    "package": lambda facts: facts.packages,
    "os": lambda facts: _one(facts.os),
    "country": lambda facts: _one(facts.country),
    "chinese": lambda facts: _one(facts.chinese),
}


def filters(wanted: Asked) -> Filters:
    """What is chosen, for the engine."""
    return Filters(**{name: getattr(wanted, name) for name in FACETS})


class Counts:
    """The errors that match, by each facet's values; each facet counts what the others leave."""

    def __init__(self, wanted: Asked, found: Found) -> None:
        chosen = {name: value for name in FACETS if (value := getattr(wanted, name))}
        # Where each error stands in the list.
        listed = {result.error_id: place for place, result in enumerate(found.answer.results)}
        #: The errors that pass everything, and of each value of each facet those that pass everything else.
        self.errors: set[str] = set(listed)
        self.values: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in FACETS}
        for facts in found.facts.values():
            fails = [name for name, value in chosen.items() if value not in FACETS[name](facts)]
            if not fails:
                self.errors.add(facts.error_id)
            for name in FACETS if not fails else fails if len(fails) == 1 else ():
                for value in FACETS[name](facts):
                    self.values[name][value].add(facts.error_id)
        for name, value in chosen.items():
            self.values[name][value] = self.errors
        self._listed = listed

    def ordered(self, name: str, selected: str | None) -> list[tuple[str, int]]:
        """A facet's values with their counts: the selected, those of the first results, then the largest."""
        unlisted = len(self._listed)

        def key(value: str) -> tuple[bool, int, int, str]:
            errors = self.values[name][value]
            first = min((self._listed.get(error, unlisted) for error in errors), default=unlisted)
            # What is said by the first few is what is looked for; below them the larger is the better guess.
            return value != selected, first if first < _TELLING else _TELLING, -len(errors), value

        return [(value, len(self.values[name][value])) for value in sorted(self.values[name], key=key)]


class Ordered(Protocol):
    """The values of each facet with their counts, in the order in which they are shown, the selected first."""

    def ordered(self, name: str, selected: str | None) -> list[tuple[str, int]]: ...


def facets(wanted: Asked, counts: Ordered, lang: Lang, way: Way) -> list[dict[str, Any]]:
    """The facets that have anything to choose."""
    found = []
    for name in FACETS:
        ordered = counts.ordered(name, getattr(wanted, name))
        values = [_value(name, value, count, wanted, lang, way) for value, count in ordered[:_MOST]]
        if values:
            shown = {"values": values[:_SHOWN], "more": values[_SHOWN:]}
            found.append({"name": name, "title": _title(name, lang), **shown})
    return found


def _title(name: str, lang: Lang) -> str:
    return translations(lang).gettext(FACET_TITLES[name])


def _value(name: str, value: str, count: int, wanted: Asked, lang: Lang, way: Way) -> dict[str, Any]:
    selected = value == getattr(wanted, name)
    new = None if selected else value
    return {
        "label": translations(lang).gettext(known) if (known := FACET_VALUES.get((name, value))) else value,
        "count": count,
        "selected": selected,
        "address": way(**{name: new, "page": None}),
        # A search without an address is posted again, with one change.
        "set": f"{name}={new or ''}",
    }


def chosen(wanted: Asked, lang: Lang, way: Way) -> list[dict[str, Any]]:
    """What the search is narrowed to, each with the way to take it off."""
    return [
        {**_value(name, value, 0, wanted, lang, way), "title": _title(name, lang)}
        for name in FACETS
        if (value := getattr(wanted, name))
    ]
