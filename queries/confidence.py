"""How sure a result is: the probability that it is right or useful, from its evidence.

A logistic curve over a few parts of the evidence, one for logs and one for questions, fitted on labelled queries with
and without an answer, so that of the results with a score of 0.8 about eight in ten are right (`culdesac evaluate`
prints how true that is). A query without an answer is told by what its best result lacks: agreement of a line with the
signature, words that say something and that the entry doesn't hold, a lead over the next error.
"""

from __future__ import annotations

import math

from culdesac.queries.evidence import Evidence

#: The parts of evidence that each curve rests on, and how much (tests/bench/fit.py fits them).
LOG = {"covered": 3.45, "regex": 1.65, "code": 3.0, "latent": 2.8, "amount": 3.25}
_LOG_BIAS = -9.1
PROSE = {
    "held": 2.1, "named": 1.9, "regex": 1.65, "lead": 2.85, "country": 1.9, "code": 2.85, "latent": 2.1, "amount": 1.65,
}  # fmt: skip
_PROSE_BIAS = -5.2
#: A greater lead says no more: the next one may be nothing at all.
_MOST_LEAD = 2.0
#: The message word for word; and the most that anything else gets.
_EXACT, _MOST = 0.99, 0.98


def confidence(evidence: Evidence, prose: bool, lead: float, substance: float) -> float:
    """Between 0 and 1. `lead` is how far the result's rank is above that of the next error, 0 for all but the first;
    `substance` how much the query says at all, 0 to 1."""
    if evidence.exact:
        return _EXACT
    weights, bias = (PROSE, _PROSE_BIAS) if prose else (LOG, _LOG_BIAS)
    logit = bias + sum(weight * value(evidence, name, lead) for name, weight in weights.items())
    # A query that says next to nothing is about nothing, however well an entry holds it.
    return round(min(_MOST, substance / (1 + math.exp(-logit))), 4)


def value(evidence: Evidence, part: str, lead: float) -> float:
    """What a part of a curve is for a result. A lead tells as far as the entry holds what was asked."""
    if part == "lead":
        return math.log1p(min(max(0.0, lead), _MOST_LEAD)) * evidence.held
    if part == "amount":
        return math.log1p(evidence.amount)
    return float(getattr(evidence, part))
