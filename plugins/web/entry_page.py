"""The entry page as HTML: the fragment `_entry.html` and what it needs.

The fragment has what the Markdown page has, and `culdesac.ingest.page` reads it back. Every text goes through
Jinja's escaping or, where it is its author's own words, through `rich`; only http(s) addresses become links.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from culdesac.db.messages import Lang
from culdesac.plugins.web import rich
from culdesac.queries.page_model import lay_out

_TEMPLATES = Path(__file__).parent / "templates"
#: Fields that are told in sentences. A signature or a pattern is compared with a log, character by character.
_TOLD = frozenset((
    "action", "how", "why_fails", "condition", "tradeoff", "common_misconception", "distinction", "behavior_change",
))  # fmt: skip


def context(
    document: Mapping[str, Any],
    lang: Lang = "en",
    *,
    problems: Sequence[Mapping[str, Any]] = (),
    variants: Sequence[str] = (),
) -> dict[str, Any]:
    """Prepare what the template `_entry.html` needs for a flat document."""
    return {"page": lay_out(document, lang, problems, variants)}


def render(
    document: Mapping[str, Any],
    lang: Lang = "en",
    *,
    problems: Sequence[Mapping[str, Any]] = (),
    variants: Sequence[str] = (),
    glance: Mapping[str, Any] | None = None,
) -> str:
    """Render the fragment alone, an `<article>`; as in Markdown, only null, "", [], {} and absent look the same.

    `glance` (what `_glance.html` needs) adds the short of it under the heading, for people: it isn't read back. Its
    `heading`, if any, is shown in place of the signature, which the heading then has beside it for the reader of pages.
    """
    aside = Markup(_environment().get_template("_glance.html").render(glance)) if glance else ""
    template = _environment().get_template("_entry.html")
    heading = glance and glance.get("heading")
    return template.render(context(document, lang, problems=problems, variants=variants), aside=aside, heading=heading)


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(autoescape=True, loader=jinja2.FileSystemLoader(_TEMPLATES))
    made.filters |= {"line": _line, "block": rich.block}
    made.globals["told"] = _TOLD
    return made


def _line(text: str) -> Markup:
    """A line with its Markdown, and what was written where that isn't what is shown."""
    shown = rich.line(text)
    return shown if shown == escape(text) else Markup('<span data-text="{}">{}</span>').format(text, shown)
