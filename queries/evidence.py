"""Evidence decides: what speaks for a candidate, each part between 0 and about 1, and how much each part counts.

Each part is a number of its own, so that `--explain` can show it. The weights are few and were fitted: pairwise
logistic regression over the labelled queries and a generated test, by cross-validation (tests/bench/fit.py prints the
spread over folds). Logs and questions want different evidence, and have weights of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from culdesac.queries.bm25 import Column
from culdesac.queries.glossary import Said
from culdesac.queries.propose import Proposal
from culdesac.queries.query import Line, Query

#: How much a query word counts that stands in this column of an entry, when that is the best column it stands in.
COLUMNS = {
    "signature": 1.0,
    "signature_zh": 1.0,
    "keywords": 0.8,
    "root_cause": 0.6,
    "root_cause_zh": 0.6,
    "workarounds": 0.4,
    "workarounds_zh": 0.4,
    "dead_ends": 0.25,
}
#: Columns that count so much name the error; the others describe it.
_NAMING = 0.8
PARTS = ("signature", "order", "regex", "bm25", "text")
_LOG = {"signature": 3.3, "order": 2.7, "regex": 1.6, "bm25": 1.8, "text": 0.8}
_PROSE = {"signature": 0.8, "order": 0.0, "regex": 0.0, "bm25": 4.7, "text": 2.0}
#: An agreement of this much is a long message found whole; it is the scale of the part `signature`.
_WHOLE = 6.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a candidate.

    signature: agreement of the best line with the signature; order: the share of the signature's neighbouring words
    that are neighbours in that line; regex: whether the entry's own regex matches the line; bm25: relative to the
    best candidate; text: the share of the query's weight that the entry holds, by column. exact: a line is the
    signature word for word. covered, explained, held and missing are not ranked by but tell how sure the first is:
    the shares of the signature and of the line that agree, and the share of the telling words' weight (those that no
    entry holds included) that the entry holds anywhere (held) and in what names it (named).
    """

    signature: float
    order: float
    regex: float
    bm25: float
    text: float
    exact: bool
    covered: float
    explained: float
    held: float
    named: float
    line: Line | None

    def parts(self, prose: bool) -> dict[str, float]:
        """What each part adds to the rank."""
        weights = _PROSE if prose else _LOG
        return {name: weights[name] * getattr(self, name) for name in PARTS}

    def explain(self, prose: bool) -> dict[str, float]:
        """Every part for a reader: what it adds to the rank, then what the score rests on."""
        shares = {name: getattr(self, name) for name in ("covered", "explained", "held", "named")}
        found = {**self.parts(prose), "rank": self.rank(prose), "exact": float(self.exact), **shares}
        return {name: round(value, 3) for name, value in found.items()}

    def rank(self, prose: bool) -> float:
        """The sum of the parts; an exact signature stands above everything else."""
        return sum(self.parts(prose).values()) + (100.0 if self.exact else 0.0)


def weigh(query: Query, proposal: Proposal, bm25: float, columns: Mapping[str, Column]) -> Evidence:
    """Weigh one candidate, its regex apart. `bm25` is relative to the best one, `columns` are its indexed words."""
    line = proposal.match.line
    weights = query.weights
    open_words = set(weights) - query.pieces
    text = held = named = 0.0
    said = Said(query.concepts, query.spoken)
    for name, share in COLUMNS.items():
        if name in columns:
            held_here = columns[name].distinct
            found = open_words & held_here
            if query.meant:
                found |= {query.meant[term][0] for term in query.meant.keys() & held_here} & open_words
            open_words -= found
            mass = sum(weights[word] for word in found)
            text += share * mass
            meaning = said.gain(held_here)
            text += share * meaning
            telling = sum(weights[word] for word in found & query.telling) + meaning
            held += telling
            named += telling if share >= _NAMING else 0.0
    return Evidence(
        signature=proposal.match.agreement / _WHOLE,
        order=_order(line, columns),
        regex=0.0,
        bm25=bm25,
        text=text / query.mass if query.mass else 0.0,
        exact=proposal.exact,
        covered=proposal.match.covered,
        explained=proposal.match.explained,
        held=held / query.telling_mass if query.telling_mass else 0.0,
        named=named / query.telling_mass if query.telling_mass else 0.0,
        line=line,
    )


def _order(line: Line | None, columns: Mapping[str, Column]) -> float:
    if line is None:
        return 0.0
    pairs = set(pairwise(line.words))
    best = 0.0
    for name in ("signature", "signature_zh"):
        words = columns[name].words if name in columns else []
        if len(words) > 1:
            neighbours = list(pairwise(words))
            best = max(best, sum(pair in pairs for pair in neighbours) / len(neighbours))
    return best
