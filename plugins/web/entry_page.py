"""The entry page as HTML: the fragment `_entry.html` and what it needs.

The fragment has what the Markdown page has, in the order in which people look for it, and `culdesac.ingest.page` reads
it back. What it shows otherwise than its author wrote it has the writing beside it (data-text), and what isn't of the
document stands in elements that the reader leaves out (aside, nav, svg). Every text goes through Jinja's escaping or,
where it is its author's own words, through `rich`; only http(s) addresses become links.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from culdesac.db.messages import Lang, translations
from culdesac.db.page_layout import FIGURES, NOTHING, SECTIONS
from culdesac.plugins.web import rich
from culdesac.plugins.web.entry_extras import SIDES
from culdesac.plugins.web.labels import verdict
from culdesac.queries.page_model import Line, Page, Part, lay_out

_TEMPLATES = Path(__file__).parent / "templates"
#: Fields that are told in sentences. A signature or a pattern is compared with a log, character by character.
_TOLD = frozenset((
    "action", "how", "why_fails", "condition", "tradeoff", "common_misconception", "distinction", "behavior_change",
    "text_zh", "original",
))  # fmt: skip
#: Where a section stands: what helps first, the graph below it, what was found amiss last; the rest beside them.
_MAIN = (
    "root_cause", "root_cause_zh", "root_cause_original", "workarounds_zh", "workarounds", "dead_ends", "os_specific",
)  # fmt: skip
_GRAPH = ("transition_graph", "preceded_by", "leads_to", "frequently_confused_with")
_LAST = ("variants", "problems")
_LABELS = {section.key: section.label for section in SECTIONS}


def render(
    document: Mapping[str, Any],
    lang: Lang = "en",
    *,
    problems: Sequence[Mapping[str, Any]] = (),
    variants: Sequence[str] = (),
    graph: Mapping[str, Any] | None = None,
    ways: Mapping[str, str] | None = None,
) -> str:
    """Render the fragment alone, an `<article>`; as in Markdown, only null, "", [], {} and absent look the same.

    `graph` (see `entry_extras.graph`) makes links of the errors that the entry names, and adds a picture and those that
    name it. `ways` are the addresses behind values, by field. With it the fragment is part of a site's page: its parts
    can be linked to, and its tables be scrolled by keyboard.
    """
    page = lay_out(document, lang, problems, variants)
    template = _environment().get_template("_entry.html")
    return template.render(
        _arranged(page),
        _=translations(lang).gettext,
        page=page,
        heading=(document.get("signature_zh") or None) if lang == "zh" else None,
        signature=document.get("signature"),
        verdict=verdict(document.get("resolvable"), lang),
        graph=graph,
        label={key: label.text(lang) for key, label in _LABELS.items()},
        ways=ways or {},
        anchors=ways is not None,
    )


def _arranged(page: Page) -> dict[str, Any]:
    """The parts of a page by where they stand, and its facts by how much they say at a glance."""
    parts = {part.key: part for part in page.parts}
    figures = ("resolvable", *FIGURES)
    top = [line for line in page.lines if line.key in ("id", "signature")]
    shown: list[Line] = [line for key in figures for line in page.lines if line.key == key]
    rest = [line for line in page.lines if line not in top and line not in shown]
    about = parts.pop("about", None)
    lines = (*rest, *(about.lines if about else ()))
    elsewhere = (*_MAIN, *_GRAPH, *_LAST, "language")
    side = [part for part in page.parts if part.key not in elsewhere and part.key != "about"]
    if lines:
        side.insert(0, Part("about", _LABELS["about"].text(page.lang), 2, lines=lines))
    return {
        "top": top,
        "figures": shown,
        "note": parts["language"].items[0].text if "language" in parts else None,
        "main": [part for part in page.parts if part.key in _MAIN],
        "side": side,
        "edges": {kind: parts.get(kind) for kind in SIDES.values()},
        "sides": SIDES,
        "last": [part for part in page.parts if part.key in _LAST],
        "jumps": [parts[key] for key in ("workarounds", "dead_ends") if key in parts],
    }


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(autoescape=True, loader=jinja2.FileSystemLoader(_TEMPLATES))
    made.filters |= {"line": _line, "block": rich.block, "plainline": rich.line}
    made.globals |= {"told": _TOLD, "empty": _is_empty}
    return made


def _line(text: str) -> Markup:
    """A line with its Markdown, and what was written where that isn't what is shown."""
    shown = rich.line(text)
    return shown if shown == escape(text) else Markup('<span data-text="{}">{}</span>').format(text, shown)


def _is_empty(part: Part) -> bool:
    """Whether a table says nothing; it is there only to be read back."""
    return bool(part.rows) and all(cell.text == NOTHING for row in part.rows for cell in row)
