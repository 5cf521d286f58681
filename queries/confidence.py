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
LOG = {"rank": 0.97, "covered": 1.47, "regex": 1.16, "code": 2.21}
_LOG_BIAS = -6.01
PROSE = {"held": 4.25, "named": 2.7, "regex": 2.29, "lead": 2.1, "country": 1.57, "code": 0.92}
_PROSE_BIAS = -4.12
#: A greater lead says no more: the next one may be nothing at all.
MOST_LEAD = 2.0
#: The message word for word; and the most that anything else gets.
_EXACT, _MOST = 0.99, 0.98


def confidence(evidence: Evidence, prose: bool, lead: float, substance: float) -> float:
    """Between 0 and 1. `lead` is how far the result's rank is above that of the next error, 0 for all but the first;
    `substance` how much the query says at all, 0 to 1."""
    if evidence.exact:
        return _EXACT
    values = {
        "rank": evidence.rank(prose),
        "covered": evidence.covered,
        "regex": evidence.regex,
        "country": evidence.country,
        "code": evidence.code,
        "held": evidence.held,
        "named": evidence.named,
        "lead": math.log1p(min(max(0.0, lead), MOST_LEAD)),
    }
    weights, bias = (PROSE, _PROSE_BIAS) if prose else (LOG, _LOG_BIAS)
    logit = bias + sum(weight * values[name] for name, weight in weights.items())
    # A query that says next to nothing is about nothing, however well an entry holds it.
    return round(min(_MOST, substance / (1 + math.exp(-logit))), 4)
