"""How sure a result is: the probability that it is right or useful, from its evidence.

A logistic curve over a few parts of the evidence, one for logs and one for questions of each language, fitted on
labelled queries with and without an answer, so that of the results with a score of 0.8 about eight in ten are right
(`culdesac evaluate` prints how true that is). A query without an answer is told by what its best result lacks:
agreement of a line with the signature, words that say something and that the entry doesn't hold, company that words
keep, a lead over the next error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from culdesac.queries.evidence import Evidence
from culdesac.queries.query import Query


@dataclass(frozen=True, slots=True)
class Curve:
    """The parts of evidence that a score rests on and how much, and how unlikely a result is before any of them."""

    weights: dict[str, float]
    bias: float


#: tests/bench/fit.py fits them. In Chinese a question is compared by what its words mean, which says nothing of the
#: company that they keep, and says in one word what English says in two: its curve does without latent and amount.
LOG = Curve({"order": 0.9, "covered": 3.9, "regex": 1.1, "code": 3.0, "amount": 1.6, "held": 2.5}, -5.55)
ENGLISH = Curve(
    {"held": 2.2, "named": 1.75, "regex": 1.8, "lead": 2.65, "country": 1.9, "code": 2.8, "latent": 1.9, "amount": 1.7},
    -5.05,
)
CHINESE = Curve({"held": 2.9, "named": 2.5, "regex": 1.9, "lead": 3.3, "country": 1.4, "code": 2.9}, -2.95)
#: A greater lead says no more: the next one may be nothing at all.
_MOST_LEAD = 2.0
#: The message word for word; and the most that anything else gets.
_EXACT, _MOST = 0.99, 0.98


def confidence(evidence: Evidence, query: Query, lead: float) -> float:
    """Between 0 and 1. `lead` is how far the result's rank is above that of the next error, 0 for all but the first."""
    if evidence.exact:
        return _EXACT
    curve = curve_for(query)
    logit = curve.bias + sum(weight * value(evidence, name, lead) for name, weight in curve.weights.items())
    # A query that says next to nothing is about nothing, however well an entry holds it.
    return round(min(_MOST, query.substance / (1 + math.exp(-logit))), 4)


def curve_for(query: Query) -> Curve:
    """The curve for what a query is."""
    if not query.prose:
        return LOG
    return CHINESE if query.concepts else ENGLISH


def value(evidence: Evidence, part: str, lead: float) -> float:
    """What a part of a curve is for a result. A lead tells as far as the entry holds what was asked."""
    if part == "lead":
        return math.log1p(min(max(0.0, lead), _MOST_LEAD)) * evidence.held
    if part == "amount":
        return math.log1p(evidence.amount)
    return float(getattr(evidence, part))
