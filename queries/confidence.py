"""How sure a result is: the probability that it is right or useful, from its evidence."""

from __future__ import annotations

from culdesac.queries.evidence import Evidence
from culdesac.queries.query import Query


def confidence(query: Query, evidence: Evidence) -> float:
    """Between 0 and 1."""
    if evidence.exact:
        return 0.99
    best = max(evidence.covered * evidence.explained, evidence.held)
    return round(min(0.98, best), 4)
