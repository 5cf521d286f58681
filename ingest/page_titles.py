"""The headings of steps, ours and those of other pages: which number, which rate, which action they give."""

from __future__ import annotations

import re
from typing import NamedTuple

from culdesac.db.page_layout import NUMBER, RATES, SECTIONS, STEP_TITLES, read_rate


class Title(NamedTuple):
    """What a heading says of its step."""

    rate: float | None
    action: str
    #: Which step of its author's it is, where the heading says so.
    number: int | None = None


def _own(key: str) -> list[re.Pattern[str]]:
    """Our headings: "Workaround 1 (85% success): Restart", in both languages."""
    section = next(section for section in SECTIONS if section.key == key)
    patterns: list[re.Pattern[str]] = []
    for lang, (numbered, rated, named) in STEP_TITLES.items():
        assert section.item
        number = re.escape(numbered.format(section.item.text(lang), "#")).replace(r"\#", "(?P<number>[0-9]{1,9})")
        rate = ""
        if key in RATES:
            wording = re.escape(RATES[key][1].text(lang).format(rate="#")).replace(r"\#", rf"(?P<rate>{NUMBER}%)")
            rate = f"(?:{re.escape(rated).replace(re.escape('{}'), wording)})?"
        action = re.escape(named).replace(re.escape("{}"), "(?P<action>.*)")
        patterns.append(re.compile(f"{number}{rate}(?:{action})?", re.DOTALL))
    return patterns


def _foreign(key: str) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
    """Headings of other pages, the rate at the beginning and at the end, as any label says it."""
    _, label = RATES[key]
    rate = r"(?<![0-9.])(?P<rate>[0-9]{1,3}(?:\.[0-9]{1,9})? ?%)"
    before: list[re.Pattern[str]] = []
    after: list[re.Pattern[str]] = []
    for wording in (label.en, label.text("zh"), *label.also):
        opening, closing = (re.escape(piece).replace(r"\ ", " ?") for piece in wording.split("{rate}"))
        words = f"{opening}{rate}{closing}"
        before.append(re.compile(rf"{words}(?![\w%])[ :：.·-]*(?P<action>.*)", re.IGNORECASE | re.DOTALL))
        after.append(re.compile(rf"(?<!\w){words}[)）]?$", re.IGNORECASE))
    return before, after


_OWN = {section.key: _own(section.key) for section in SECTIONS if section.item}
_FOREIGN = {key: _foreign(key) for key in RATES}


def own_title(key: str, text: str) -> Title | None:
    """Read a heading as our pages write it."""
    for pattern in _OWN.get(key, ()):
        found = pattern.fullmatch(text)
        if found:
            groups = found.groupdict()
            return Title(read_rate(groups.get("rate") or ""), groups["action"] or "", int(groups["number"]))
    return None


def foreign_title(key: str, text: str, *, line: bool = False) -> Title | None:
    """Read what heads a step on other pages: its rate before the action or after it.

    A mere `line` could be a sentence with such words: it heads a workaround only when it begins with the rate, a dead
    end only when it ends with it.
    """
    if "%" not in text or key not in RATES:
        return None
    before, after = _FOREIGN[key]
    if not line or key == "workarounds":
        for pattern in before:
            found = pattern.match(text)
            if found:
                return Title(_rate(found), found["action"])
    if not line or key == "dead_ends":
        for pattern in after:
            found = pattern.search(text)
            if found:
                return Title(_rate(found), text[: found.start()].rstrip(" (（:：·-"))
    return None


def _rate(found: re.Match[str]) -> float | None:
    return read_rate(found["rate"].replace(" ", ""))
