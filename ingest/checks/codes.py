"""The vocabulary of the checks: codes, severities, and how a finding is worded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from culdesac.db.codes import CODES, Code, Severity

__all__ = ["CODES", "CheckOptions", "Code", "Problem", "Severity", "problem", "quote"]

#: A quoted value is cut to this many characters, in messages and in fields.
QUOTED = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `field` is a dotted path in the flat dialect's names: "regex", "workarounds[0].success_rate"."""

    code: str
    severity: Severity
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the checks can't know by themselves, since they never read the clock.

    `as_of`: the day (YYYY-MM-DD) that counts as today; without it no date is in the future. `stale_days`: how many
    days an entry may be behind the file's newest confirmations. Raises ValueError for anything else.
    """

    as_of: str | None = None
    stale_days: int = 365

    def __post_init__(self) -> None:
        if self.as_of is not None and not _is_day(self.as_of):
            raise ValueError(f"as_of: expected a day as YYYY-MM-DD, got {quote(self.as_of)}")
        if self.stale_days < 0:
            raise ValueError(f"stale_days: expected 0 or more, got {self.stale_days}")


def _is_day(text: str) -> bool:
    try:
        # fromisoformat takes other forms too.
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def quote(value: object) -> str:
    """A stranger's value for a message: on one line, at most 80 characters, unprintable ones escaped."""
    text = str(value)[: QUOTED + 1]
    if not text.isprintable():
        text = "".join(
            character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
            for character in text
        )
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"


def problem(code: str, field: str, message: str) -> Problem:
    """A finding with the severity of its code."""
    return Problem(code, CODES[code].severity, field, message)
