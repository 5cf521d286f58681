"""Weighing what the index proposes: how much of an entry a query holds, and how much of the query an entry explains."""

from __future__ import annotations

import math
from dataclasses import dataclass

import re2

from culdesac.db.text import words
from culdesac.queries.query import Line, Query

#: Compiling and running a stranger's regex stays within this much memory (bytes) and text (characters).
_REGEX_MEMORY, _REGEX_TEXT = 1 << 20, 20_000


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a candidate. All but `bm25` are between 0 and 1.

    signature: the share of the signature's weight that one line of the query holds; that line is `line`.
    explained: the share of the query's weight that the whole entry holds.
    exact: a line is the signature, word for word.
    """

    bm25: float
    signature: float
    explained: float
    exact: bool
    line: Line | None

    @property
    def score(self) -> float:
        """How sure we are that the result is the error, 0 to 1. A first form: coverage, not yet a probability."""
        if self.exact:
            return 0.99
        best, both = max(self.signature, self.explained), self.signature * self.explained
        return round(min(0.98, best * math.sqrt(best) * 0.6 + both * 0.4), 4)


def weigh(query: Query, bm25: float, exact: bool, columns: dict[str, str | None], idf: dict[str, float]) -> Evidence:
    """Compare a query with an entry's indexed words, per column. `idf` weighs the words of signatures."""
    signatures = [set(words(columns[name] or "")) for name in ("signature", "signature_zh")]
    everything = frozenset(word for text in columns.values() if text for word in words(text))
    best, best_line = 0.0, None
    for signature in signatures:
        total = sum(idf.get(word, 0.0) for word in signature)
        if not total:
            continue
        for line in query.lines:
            share = sum(idf.get(word, 0.0) for word in signature & line.words) / total
            if share > best:
                best, best_line = share, line
    total = sum(query.weights.values()) + len(query.unknown) * max(query.weights.values(), default=1.0)
    explained = query.mass(everything) / total if total else 0.0
    return Evidence(bm25, min(best, 1.0), min(explained, 1.0), exact, best_line)


def regex_matches(pattern: str | None, text: str) -> bool:
    """Whether an entry's regex matches a text: in linear time, within bounds, and False for a regex that is none."""
    if not pattern or len(pattern) > 2_000:
        return False
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.max_mem = _REGEX_MEMORY
    try:
        return re2.search(pattern, text[:_REGEX_TEXT], options=options) is not None
    except (re2.error, ValueError):
        return False
