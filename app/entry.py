"""One entry as a person reads it on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from culdesac.messages import say
from culdesac.queries.engine import Shown
from culdesac.render import indented, item, percent, safe

_FACTS = (
    ("domain", "Domain"),
    ("category", "Category"),
    ("error_code", "Error code"),
    ("os", "OS"),
    ("country", "Country"),
    ("first_seen", "First seen"),
    ("last_confirmed", "Last confirmed"),
    ("evidence_count", "Evidence"),
    ("verification_tier", "Verification"),
    ("review_status", "Review"),
    ("official_doc_url", "Documentation"),
)
_EDGES = (
    ("leads_to", "Leads to"),
    ("preceded_by", "Preceded by"),
    ("frequently_confused_with", "Often confused with"),
)


def entry_text(shown: Shown, chinese: bool) -> str:
    """The whole entry. In Chinese what the entry has in Chinese, and English where it has none."""
    parts = (_head, _facts, _versions, _cause, _workarounds, _dead_ends, _edges, _problems)
    lines = [line for part in parts for line in part(shown, chinese)]
    return "\n".join(lines) + "\n"


def _title(text: str, chinese: bool, colour: str | None = None) -> Iterator[str]:
    yield ""
    yield click.style(say(text, chinese), fg=colour, bold=True)


def _head(shown: Shown, chinese: bool) -> Iterator[str]:
    document = shown.document
    signature = (document.get("signature_zh") if chinese else None) or document["signature"]
    yield click.style(safe(signature), bold=True)
    yield click.style(shown.id, fg="cyan")
    if chinese and not document.get("signature_zh"):
        yield click.style(say("No Chinese text; shown in English.", chinese), dim=True)
    if document.get("resolvable"):
        yield f"{say('Resolvable', chinese)}: {say(safe(document['resolvable']), chinese)}"
    for key, name in (("fix_success_rate", "fix rate"), ("confidence", "confidence")):
        if document.get(key) is not None:
            yield f"{say(name, chinese)}: {percent(document[key])} ({say('as its authors claim', chinese)})"
    others = [variant for variant in shown.variants if variant != shown.id]
    if others:
        yield f"{say('variants', chinese)}: {safe(', '.join(others))}"


def _facts(shown: Shown, chinese: bool) -> Iterator[str]:
    for key, name in _FACTS:
        value = shown.document.get(key)
        if value not in (None, ""):
            yield f"{say(name, chinese)}: {safe(str(value))}"


def _versions(shown: Shown, chinese: bool) -> Iterator[str]:
    texts = [version["version"] for version in shown.document.get("versions") or [] if version.get("version")]
    if texts:
        yield f"{say('Versions', chinese)}: {safe(', '.join(texts))}"


def _cause(shown: Shown, chinese: bool) -> Iterator[str]:
    document = shown.document
    cause = (document.get("root_cause_zh") if chinese else None) or document.get("root_cause")
    if cause:
        yield from _title("Cause", chinese)
        yield from indented(cause, 2)


def _workarounds(shown: Shown, chinese: bool) -> Iterator[str]:
    steps: list[dict[str, Any]] = shown.document.get("workarounds") or []
    translated: list[str] = (shown.document.get("workarounds_zh") or []) if chinese else []
    if steps or translated:
        yield from _title("Do", chinese, "green")
    for index in range(max(len(steps), len(translated))):
        step = steps[index] if index < len(steps) else {}
        text = translated[index] if index < len(translated) else None
        yield from item(percent(step.get("success_rate")), text or step.get("action") or step.get("how"), chinese)
        if step.get("how") and step["how"] != step.get("action") and not text:
            yield from indented(step["how"])
        yield from _notes(step, chinese, ("condition", "tradeoff"))


def _dead_ends(shown: Shown, chinese: bool) -> Iterator[str]:
    ends: list[dict[str, Any]] = shown.document.get("dead_ends") or []
    if ends:
        yield from _title("Don't", chinese, "red")
    for end in ends:
        yield from item(percent(end.get("fail_rate")), end.get("action"), chinese)
        if end.get("why_fails"):
            yield from indented(end["why_fails"])
        yield from _notes(end, chinese, ("condition", "common_misconception"))


def _notes(step: dict[str, Any], chinese: bool, keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        if step.get(key):
            yield from indented(f"{say(key.replace('_', ' ').capitalize(), chinese)}: {step[key]}")
    for source in step.get("sources") or ():
        yield from indented(f"{say('Source', chinese)}: {source}")


def _edges(shown: Shown, chinese: bool) -> Iterator[str]:
    for kind, name in _EDGES:
        edges: list[dict[str, Any]] = (shown.document.get("transition_graph") or {}).get(kind) or []
        if edges:
            yield from _title(name, chinese)
        for edge in edges:
            edge = edge if isinstance(edge, dict) else {"error_id": edge}
            yield from item(percent(edge.get("probability")), edge.get("error_id"), chinese)
            yield from (line for key in ("condition", "distinction") if edge.get(key) for line in indented(edge[key]))


def _problems(shown: Shown, chinese: bool) -> Iterator[str]:
    if shown.problems:
        yield from _title("Problems in this entry's data", chinese)
    for problem in shown.problems:
        yield from indented("{severity}: {field}: {message} [{code}]".format_map(problem), 2)
