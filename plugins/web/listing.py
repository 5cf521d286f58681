"""The errors that have what is chosen where nothing is searched for: the best documented first, with facets.

Only so many of the best documented entries that pass are looked at: a page of a very large file takes no longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from culdesac.plugins.web.pool import LISTED, WebEngine
from culdesac.plugins.web.result_facets import FACETS
from culdesac.queries.answer import Result
from culdesac.queries.engine import Filters

#: So many entries are looked at.
MOST = 5_000
#: Lists that are kept for each open file; one takes up to a megabyte. An engine never outlives its file's version.
_MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class Listing:
    """The errors that pass, each by its best entry, and how many entries they are.

    `more`: there are entries that weren't looked at. `counts` has by facet what a choice in it would leave, beside what
    is chosen in the others.
    """

    errors: Mapping[str, int]
    entries: int
    more: bool
    counts: Mapping[str, Mapping[str, int]]

    def part(self, engine: WebEngine, start: int, count: int) -> list[Result]:
        """Some of the list in full, read from the file that the list is of."""
        return engine.described(list(self.errors.values())[start : start + count])

    def ordered(self, name: str, selected: str | None) -> list[tuple[str, int]]:
        """A facet's values with their counts: the selected, then the largest."""
        counted = dict(self.counts[name])
        return list(({selected: counted.get(selected, 0)} | counted if selected else counted).items())


_kept: WeakKeyDictionary[WebEngine, dict[Filters, Listing]] = WeakKeyDictionary()


def listing(engine: WebEngine, filters: Filters) -> Listing:
    """The list of what passes. The latest are kept: a list's pages and its neighbours ask for it again."""
    kept = _kept.setdefault(engine, {})
    found = kept.get(filters)
    if found is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        found = kept[filters] = _read(engine, filters)
    return found


def _read(engine: WebEngine, filters: Filters) -> Listing:
    rows = engine.listed(filters, MOST + 1)
    # What is chosen in a facet is no choice there: its other values are counted among what the others leave.
    chosen = [name for name in FACETS if getattr(filters, name)]
    counts = {name: engine.listed_values(name, filters, MOST) for name in {*chosen, "package"}}
    looked_at = rows[:MOST]
    errors: dict[str, int] = {}
    for pk, error_id, *_ in looked_at:
        errors.setdefault(error_id, pk)
    for at, name in enumerate(LISTED, 2):
        if name not in counts:
            counts[name] = _counted({(row[at], row[1]) for row in looked_at if row[at]})
    return Listing(errors, len(looked_at), len(rows) > MOST, counts)


def _counted(pairs: set[tuple[str, str]]) -> dict[str, int]:
    """How many errors have each value, the most first."""
    counted = Counter(value for value, _ in pairs)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
