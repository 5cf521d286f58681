"""What a search answers: plain frozen data, and its JSON form (`as_dict`), which is the contract of every surface."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

#: From this probability on an answer is given as one. The threshold is the engine's, the same on every surface.
CONFIDENT = 0.4


@dataclass(frozen=True, slots=True)
class Why:
    """Why a result was found: the line of the query that speaks most for it (from 1), its text (at most 300
    characters), and whether the entry's own regex matches there."""

    regex: bool
    line: int
    matched: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """The entry's text that matches best, and where: half-open ranges of code points."""

    field: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Workaround:
    """What to do, with its authors' claim of how often it works (0 to 1, None when they made none)."""

    action: str | None
    how: str | None
    success_rate: float | None
    text_zh: str | None = None


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """What not to try, with its authors' claim of how often it fails (0 to 1, None when they made none)."""

    action: str | None
    why_fails: str | None
    fail_rate: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """One error: its best variant stands for it."""

    id: str
    error_id: str
    variants: tuple[str, ...]
    score: float
    confident: bool
    signature: str
    signature_zh: str | None
    domain: str | None
    resolvable: str | None
    fix_success_rate: float | None
    why: Why
    snippet: Snippet
    workarounds: tuple[Workaround, ...] = ()
    dead_ends: tuple[DeadEnd, ...] = ()
    #: What each part of the evidence adds to the rank, and what the score rests on; only when it was asked for.
    explain: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """All results of a query, best first. `confident` is the first result's; `relaxed`: a query term was dropped."""

    query: str
    results: tuple[Result, ...] = ()
    confident: bool = False
    relaxed: bool = False
    qid: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        found = asdict(self)
        for result in found["results"]:
            if result["explain"] is None:
                del result["explain"]
        return {key: found[key] for key in ("query", "qid", "confident", "relaxed", "results")}
