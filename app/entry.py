"""One entry as a person reads it on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from culdesac.db.codes import explained, severity
from culdesac.db.messages import _, noted, spoken
from culdesac.queries.engine import Shown
from culdesac.render import broken, claim, fact, heading, indented, item, percent, titled, verdict

_FACTS = (
    ("domain", noted("Domain")),
    ("category", noted("Category")),
    ("error_code", noted("Error code")),
    ("os", noted("Operating system")),
    ("country", noted("Country")),
    ("first_seen", noted("First seen")),
    ("last_confirmed", noted("Last confirmed")),
    ("evidence_count", noted("Evidence")),
    ("verification_tier", noted("Verification")),
    ("review_status", noted("Review status")),
    ("official_doc_url", noted("Official documentation")),
)
_EDGES = (
    ("leads_to", noted("Leads to")),
    ("preceded_by", noted("Preceded by")),
    ("frequently_confused_with", noted("Frequently confused with")),
)
_NOTES = {
    "condition": noted("Condition"),
    "tradeoff": noted("Tradeoff"),
    "common_misconception": noted("Common misconception"),
}


def entry_text(shown: Shown) -> str:
    """The whole entry. In Chinese what the entry has in Chinese, and English where it has none."""
    parts = (_head, _facts, _versions, _cause, _workarounds, _dead_ends, _edges, _problems)
    lines = [line for part in parts for line in part(shown)]
    return "\n".join(lines) + "\n"


def _chinese(text: Any) -> Any:
    """The text where Chinese is spoken."""
    return text if spoken() == "zh" else None


def _title(text: str, colour: str | None = None) -> Iterator[str]:
    yield ""
    yield click.style(text, fg=colour, bold=True)


def _titled(shown: Shown, text: str, colour: str | None, texts: Iterable[str | None]) -> Iterator[str]:
    yield ""
    yield titled(text, colour, texts, shown.document.get("signature_zh"))


def _head(shown: Shown) -> Iterator[str]:
    document = shown.document
    more = [document.get("root_cause"), document.get("root_cause_zh"), *(document.get("workarounds_zh") or ())]
    yield from heading(document["signature"], document.get("signature_zh"), shown.id, *more)
    if document.get("resolvable"):
        yield from broken(verdict(document["resolvable"]))
    for key, name in (("fix_success_rate", _("Fix rate")), ("confidence", _("Confidence"))):
        if document.get(key) is not None:
            yield from broken(claim(name, document[key]))
    others = [variant for variant in shown.variants if variant != shown.id]
    if others:
        yield from broken(fact(_("Variants"), ", ".join(others)), whole=True)


def _facts(shown: Shown) -> Iterator[str]:
    for key, name in _FACTS:
        value = shown.document.get(key)
        if value not in (None, ""):
            yield from broken(fact(_(name), str(value)), whole=True)


def _versions(shown: Shown) -> Iterator[str]:
    texts = [version["version"] for version in shown.document.get("versions") or [] if version.get("version")]
    if texts:
        yield from broken(fact(_("Versions"), ", ".join(texts)))


def _cause(shown: Shown) -> Iterator[str]:
    document = shown.document
    cause = _chinese(document.get("root_cause_zh")) or document.get("root_cause")
    if cause:
        yield from _titled(shown, _("Root cause"), None, [cause])
        yield from indented(cause, 2)


def _workarounds(shown: Shown) -> Iterator[str]:
    steps: list[dict[str, Any]] = shown.document.get("workarounds") or []
    translated: list[str] = _chinese(shown.document.get("workarounds_zh")) or []
    if steps or translated:
        yield from _titled(
            shown, _("Do"), "green", [*translated, *(step.get("action") or step.get("how") for step in steps)]
        )
    for index in range(max(len(steps), len(translated))):
        step = steps[index] if index < len(steps) else {}
        text = translated[index] if index < len(translated) else None
        yield from item(percent(step.get("success_rate")), text or step.get("action") or step.get("how"))
        if step.get("how") and step["how"] != step.get("action") and not text:
            yield from indented(step["how"])
        yield from _notes(step, ("condition", "tradeoff"))


def _dead_ends(shown: Shown) -> Iterator[str]:
    ends: list[dict[str, Any]] = shown.document.get("dead_ends") or []
    if ends:
        yield from _titled(shown, _("Don't"), "red", [end.get("action") or end.get("why_fails") for end in ends])
    for end in ends:
        yield from item(percent(end.get("fail_rate")), end.get("action"))
        if end.get("why_fails"):
            yield from indented(end["why_fails"])
        yield from _notes(end, ("condition", "common_misconception"))


def _notes(step: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        if step.get(key):
            yield from indented(fact(_(_NOTES[key]), step[key]))
    for source in step.get("sources") or ():
        yield from indented(fact(_("Source"), source), whole=True)


def _edges(shown: Shown) -> Iterator[str]:
    for kind, name in _EDGES:
        edges: list[dict[str, Any]] = (shown.document.get("transition_graph") or {}).get(kind) or []
        if edges:
            yield from _title(_(name))
        for edge in edges:
            edge = edge if isinstance(edge, dict) else {"error_id": edge}
            yield from item(percent(edge.get("probability")), edge.get("error_id"), whole=True)
            yield from (line for key in ("condition", "distinction") if edge.get(key) for line in indented(edge[key]))


def _problems(shown: Shown) -> Iterator[str]:
    if shown.problems:
        yield from _title(_("Problems in this entry's data"))
    for problem in shown.problems:
        told = explained(problem["code"], problem["message"], spoken())
        place = fact(severity(problem["severity"], spoken()), problem["field"])
        yield from indented(f"{fact(place, told)} [{problem['code']}]", 2)
