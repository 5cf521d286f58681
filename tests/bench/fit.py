"""Where the engine's few weights come from: `make fit` fits them anew and prints how far they can be trusted.

Ranking: pairwise logistic regression. For each labelled query, each right candidate against each worse one; the
differences of their parts of evidence are the rows. Confidence: logistic regression on the first result: right or
useful, or not, over queries with an answer, look-alikes without one, and the answered ones with their right entries
taken away. Both are judged by cross-validation over queries, and the spread over folds is printed; the constants in
queries/evidence.py and queries/confidence.py are rounded from the fit over all. Reading labels here is evaluation:
the product has no way to them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from culdesac.queries.answer import CONFIDENT  # noqa: E402
from culdesac.queries.confidence import CHINESE, ENGLISH, LOG, value  # noqa: E402
from culdesac.queries.engine import Candidate, Engine, Filters  # noqa: E402
from culdesac.queries.evaluate import Labelled  # noqa: E402
from culdesac.queries.evidence import Evidence  # noqa: E402
from tests.bench.quality import corpus_file, generated, messages_alone, other_codes, read  # noqa: E402

_FOLDS = 6
#: How much a query counts that was made, not labelled: enough to keep the parts apart, too little to decide.
_GENERATED, _ALONE, _LOOKALIKE, _TAKEN_AWAY = 0.05, 0.02, 0.15, 0.05
_SYMPTOM, _CODE, _NOTHING = 0.3, 0.02, 0.06
_SAYS_SOMETHING = 0.7
LOG_PARTS = ("exact", "signature", "order", "regex", "bm25", "text", "domain", "latent")
PROSE_PARTS = ("signature", "bm25", "text", "names", "domain", "country", "latent")
_SHARED = ROOT.parent / "shared/eval"


@dataclass(frozen=True)
class Case:
    """A query with its candidates and what each of them is worth; `share` is how much the case counts."""

    qid: str
    prose: bool
    candidates: list[Candidate]
    grades: list[int]
    share: float


def cases(engine: Engine, queries: Sequence[Labelled], share: float) -> Iterator[Case]:
    """The candidates of each query."""
    for labelled in queries:
        query, candidates = engine.candidates(labelled.query, Filters())
        if query.substance < _SAYS_SOMETHING:
            continue  # the score of what says next to nothing doesn't come from its evidence
        grades = [labelled.grades.get(candidate.card.error_id, 0) for candidate in candidates]
        yield Case(labelled.qid, query.prose, candidates, grades, share)


def fit_ranking(name: str, chosen: Sequence[Case], parts: Sequence[str]) -> None:
    """Print the weights of the parts, and success@1 of each fold when fitted on the others."""
    groups = np.array([number % _FOLDS for number in range(len(chosen))])
    scores = []
    for fold in range(_FOLDS):
        weights = _pairwise([case for case, group in zip(chosen, groups, strict=True) if group != fold], parts)
        held = [case for case, group in zip(chosen, groups, strict=True) if group == fold and case.share == 1.0]
        held = [case for case in held if any(case.grades)]
        if held:
            scores.append(sum(_first(case, parts, weights) > 0 for case in held) / len(held))
    weights = _pairwise(chosen, parts)
    print(f"{name}: " + ", ".join(f"{part} {weight:.2f}" for part, weight in zip(parts, weights, strict=True)))
    print(f"  success@1 over folds: {np.mean(scores):.3f}, from {min(scores):.2f} to {max(scores):.2f}")


def _rows(case: Case, parts: Sequence[str]) -> np.ndarray:
    return np.array([[getattr(candidate.evidence, part) for part in parts] for candidate in case.candidates])


def _pairwise(chosen: Sequence[Case], parts: Sequence[str]) -> np.ndarray:
    rows, shares = [], []
    for case in chosen:
        values, grades = _rows(case, parts), case.grades
        right = [place for place, grade in enumerate(grades) if grade]
        for better in right:
            worse = [place for place, grade in enumerate(grades) if grade < grades[better]]
            for place in worse:
                rows.append(values[better] - values[place])
                gain = 2 ** grades[better] - 2 ** grades[place]
                shares.append(case.share * gain / (len(right) * len(worse)))
    both = np.vstack([rows, -np.array(rows)])
    labels = np.r_[np.ones(len(rows)), np.zeros(len(rows))]
    model = LogisticRegression(fit_intercept=False, max_iter=2000)
    return model.fit(both, labels, sample_weight=np.r_[shares, shares]).coef_[0]


def _first(case: Case, parts: Sequence[str], weights: np.ndarray) -> int:
    if not case.candidates:
        return 0
    return case.grades[int(np.argmax(_rows(case, parts) @ weights))]


def fit_confidence(name: str, chosen: Sequence[Case], parts: Sequence[str]) -> None:
    """Print the weights and the bias, and what cross-validation says of them."""
    usable = [case for case in chosen if case.candidates]
    rows = np.array([_confidence_row(case, parts) for case in usable])
    right = np.array([int(case.grades[0] > 0) for case in usable])
    shares = np.array([case.share for case in usable])
    guessed = np.zeros(len(usable))
    for train, test in GroupKFold(_FOLDS).split(rows, right, [case.qid for case in usable]):
        model = LogisticRegression(C=10, max_iter=2000).fit(rows[train], right[train], sample_weight=shares[train])
        guessed[test] = model.predict_proba(rows[test])[:, 1]
    model = LogisticRegression(C=10, max_iter=2000).fit(rows, right, sample_weight=shares)
    weights = ", ".join(f"{part} {weight:.2f}" for part, weight in zip(parts, model.coef_[0], strict=True))
    print(f"{name}: {weights}, bias {model.intercept_[0]:.2f}")
    print(f"  area under the curve, cross-validated: {roc_auc_score(right, guessed):.3f} over {len(usable)} results")
    sure = guessed >= CONFIDENT
    for what, chosen in (
        ("confident with an answer", [case.share == 1.0 and any(case.grades) for case in usable]),
        ("silent without one", [case.share == 1.0 and not any(case.grades) for case in usable]),
        ("silent on look-alikes", [case.share == _LOOKALIKE for case in usable]),
    ):
        these = sure[np.array(chosen)]
        hits = these.sum() if what.startswith("confident") else (~these).sum()
        print(f"  {what}, cross-validated: {hits} of {len(these)}")


def _confidence_row(case: Case, parts: Sequence[str]) -> list[float]:
    first = case.candidates[0]
    others = [one.rank for one in case.candidates if one.card.error_id != first.card.error_id]
    lead = first.rank - others[0] if others else 0.0
    return [value(first.evidence, part, lead) for part in parts]


def without_answer(case: Case, share: float) -> Case:
    """The case with its right entries taken away: what is first now answers nothing."""
    left = [one for one, grade in zip(case.candidates, case.grades, strict=True) if not grade]
    best = max((one.evidence.bm25 for one in left), default=0.0) or 1.0
    moved = [_again(one, replace(one.evidence, bm25=one.evidence.bm25 / best), case.prose) for one in left]
    moved.sort(key=lambda one: (-one.rank, one.card.pk))
    return Case(case.qid, case.prose, moved, [0] * len(moved), share)


def _again(candidate: Candidate, evidence: Evidence, prose: bool) -> Candidate:
    return replace(candidate, evidence=evidence, rank=evidence.rank(prose))


def main() -> None:
    """Fit and print."""
    with Engine(corpus_file()) as engine:
        labelled = [query for name in ("lookup_a", "lookup_b") for query in read(_SHARED / f"{name}.jsonl")]
        real = list(cases(engine, labelled, 1.0))
        real += cases(engine, read(ROOT / "tests/eval/fresh.jsonl", "dev"), 1.0)
        said = list(cases(engine, read(ROOT / "tests/eval/symptoms.jsonl", "dev"), _SYMPTOM))
        made = list(cases(engine, generated()[::10], _GENERATED))
        short = list(cases(engine, messages_alone()[::4], _ALONE))
        alike = list(cases(engine, read(ROOT / "tests/eval/lookalikes.jsonl"), _LOOKALIKE))
        alike += cases(engine, read(ROOT / "tests/eval/nothing.jsonl", "dev"), _NOTHING)
        coded = list(cases(engine, other_codes(), _CODE))
    answered = [case for case in real if any(case.grades)]
    print("Ranking\n")
    fit_ranking("log", [case for case in answered + made if not case.prose], LOG_PARTS)
    fit_ranking("prose", [case for case in answered + said if case.prose], PROSE_PARTS)
    print("\nConfidence\n")
    taken = [without_answer(case, _TAKEN_AWAY) for case in answered]
    for name, prose, parts in (
        ("log", False, LOG),
        ("questions", True, ENGLISH),
        ("questions, parts that Chinese ones have", True, CHINESE),
    ):
        chosen = [case for case in real + said + alike + taken + coded + made[::3] + short if case.prose == prose]
        fit_confidence(name, chosen, tuple(parts.weights))


if __name__ == "__main__":
    main()
