"""Strangers' texts as the pages show them: cut, marked, with code as code. Everything is escaped."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from culdesac.plugins.web.rich import line


def percent(rate: float | None) -> str | None:
    """A share from 0 to 1 as people read it; a value out of range is no share and isn't shown."""
    if not isinstance(rate, (int, float)) or not 0 <= rate <= 1:
        return None
    return f"{rate:.0%}"


def inline(text: str, longest: int) -> Markup:
    """A text in one line, cut at a blank, what stands in backticks as code."""
    text = " ".join(text[: 4 * longest].split())
    if len(text) > longest:
        cut = text[:longest]
        text = (cut.rpartition(" ")[0] or cut).rstrip(" ,;:") + "…"
    return line(text, links=False)


def marked(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """A text with its hits in <mark>. Hits with no letter or digit between are one."""
    joined: list[tuple[int, int]] = []
    for start, stop in marks:
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    parts, end = [], 0
    for start, stop in joined:
        parts += [escape(text[end:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
        end = stop
    return Markup("").join([*parts, escape(text[end:])])
