"""Measuring answers against labelled queries. Nothing else in the product reads a label.

Labels are lifted to errors: an error's grade is the best among its entries, and a result counts for its own error
alone, once. Gains are 2^grade - 1 and the ideal ranking is that of the lifted labels (Järvelin and Kekäläinen, 2002).
Intervals are 95 %: Wilson's for shares, the bootstrap percentile's for means (1,000 resamples, one fixed seed).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from culdesac.db.messages import _, noted
from culdesac.db.rows import split_id
from culdesac.queries.answer import Answer

_DEPTH = 10
_Z = 1.959963984540054
_RESAMPLES = 1_000
_BINS = 10


class BadLabels(ValueError):
    """A line that is no labelled query: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A query with the grade of each error that answers it (2 exactly, 1 related); none when nothing does."""

    qid: str
    query: str
    grades: dict[str, int]
    kind: str
    lang: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one query was answered. All but `score` are between 0 and 1 and None for a query without an answer."""

    labelled: Labelled
    confident: bool
    score: float
    first: str | None
    best_first: float | None
    success_1: float | None
    success_3: float | None
    reciprocal_rank: float | None
    ndcg: float | None


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over queries with its 95 % interval. `hits` is set when it is a share of all of them."""

    value: float
    low: float
    high: float
    count: int
    hits: int | None = None


_EXPECTED = (("qid", str, noted("a string")), ("query", str, noted("a string")), ("relevant", dict, noted("an object")))


def read_labelled(row: Any) -> Labelled:
    """Check one decoded line. Raises BadLabels."""
    if not isinstance(row, dict):
        raise BadLabels(_("expected an object"))
    for key, kind, name in _EXPECTED:
        if not isinstance(row.get(key), kind):
            raise BadLabels(_("{field}: expected {kind}").format(field=key, kind=_(name)))
    grades: dict[str, int] = {}
    for entry_id, grade in row["relevant"].items():
        if not isinstance(grade, int) or isinstance(grade, bool) or grade not in (0, 1, 2):
            raise BadLabels(_("relevant: the grade of {id} must be 0, 1 or 2").format(id=repr(entry_id)))
        error_id = split_id(entry_id).error_id
        grades[error_id] = max(grade, grades.get(error_id, 0))
    grades = {error_id: grade for error_id, grade in grades.items() if grade}
    return Labelled(row["qid"], row["query"], grades, str(row.get("kind") or "all"), str(row.get("lang") or "all"))


def judge(labelled: Labelled, answer: Answer, within: frozenset[str] | None = None) -> Outcome:
    """Compare an answer with the labels; `within` skips results whose error is not in that set."""
    results = [result for result in answer.results if within is None or result.error_id in within]
    found = list(dict.fromkeys(result.error_id for result in results))[:_DEPTH]
    confident = bool(results) and results[0].confident
    score = results[0].score if results else 0.0
    first = found[0] if found else None
    if not labelled.grades:
        return Outcome(labelled, confident, score, first, None, None, None, None, None)
    grades = [labelled.grades.get(error_id, 0) for error_id in found]
    best = max(labelled.grades.values())
    return Outcome(
        labelled,
        confident,
        score,
        first,
        best_first=float(grades[:1] == [best]),
        success_1=float(any(grades[:1])),
        success_3=float(any(grades[:3])),
        reciprocal_rank=next((1 / rank for rank, grade in enumerate(grades, 1) if grade == best), 0.0),
        ndcg=_dcg(grades) / _dcg(sorted(labelled.grades.values(), reverse=True)[:_DEPTH]),
    )


def _dcg(grades: Iterable[int]) -> float:
    return sum(((1 << grade) - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Every measure over all queries, by kind and by language, and how reliable the scores are."""
    groups: dict[str, list[Outcome]] = {"all": list(outcomes)}
    for name in ("kind", "lang"):
        for value in sorted({getattr(outcome.labelled, name) for outcome in outcomes} - {"all"}):
            chosen = [outcome for outcome in outcomes if getattr(outcome.labelled, name) == value]
            groups[f"{name} {value}"] = chosen
    return {
        "groups": {name: _measures(chosen) for name, chosen in groups.items()},
        "reliability": reliability(outcomes),
        "missed": [
            {"qid": outcome.labelled.qid, "kind": outcome.labelled.kind, "first": outcome.first, "score": outcome.score}
            for outcome in outcomes
            if outcome.success_1 == 0 or (outcome.success_1 is None and outcome.confident)
        ],
    }


def _measures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    answered = [outcome for outcome in outcomes if outcome.labelled.grades]
    none = [outcome for outcome in outcomes if not outcome.labelled.grades]
    found: dict[str, Any] = {"queries": len(answered), "without answer": len(none)}
    if answered:
        found |= {
            "best grade first": share([outcome.best_first or 0.0 for outcome in answered]),
            "success@1": share([outcome.success_1 or 0.0 for outcome in answered]),
            "success@3": share([outcome.success_3 or 0.0 for outcome in answered]),
            "MRR": mean([outcome.reciprocal_rank or 0.0 for outcome in answered]),
            "nDCG@10": mean([outcome.ndcg or 0.0 for outcome in answered]),
            "confident": share([float(outcome.confident) for outcome in answered]),
        }
    if none:
        found["abstained"] = share([float(not outcome.confident) for outcome in none])
    return found


def share(values: Sequence[float]) -> Share:
    """A share of yes among yes and no, with Wilson's interval (1927)."""
    count, hits = len(values), int(sum(values))
    part = hits / count
    centre = (part + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    spread = _Z / (1 + _Z**2 / count) * math.sqrt(part * (1 - part) / count + _Z**2 / (4 * count**2))
    return Share(part, max(0.0, centre - spread), min(1.0, centre + spread), count, hits)


def mean(values: Sequence[float]) -> Share:
    """A mean with its bootstrap interval."""
    source = random.Random(0)
    means = sorted(sum(source.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES))
    low, high = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES)]
    return Share(sum(values) / len(values), low, high, len(values))


def reliability(outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
    """For each tenth of the score: how many first results have it, and how many of them were right or useful."""
    bins: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.first is not None:
            bins.setdefault(min(_BINS - 1, int(outcome.score * _BINS)), []).append(outcome)
    right: Callable[[Outcome], float] = lambda outcome: outcome.success_1 or 0.0  # noqa: E731
    return [
        {
            "from": number / _BINS,
            "to": (number + 1) / _BINS,
            "count": len(chosen),
            "mean score": sum(outcome.score for outcome in chosen) / len(chosen),
            "right": sum(map(right, chosen)) / len(chosen),
        }
        for number, chosen in sorted(bins.items())
    ]
