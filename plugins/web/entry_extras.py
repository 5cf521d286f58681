"""What an entry's page shows beside the entry itself: the short of it, its place in the graph, its variants."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from culdesac.db.messages import Lang, noted, translations
from culdesac.plugins.web.labels import verdict
from culdesac.plugins.web.pool import Edge
from culdesac.plugins.web.texts import inline, percent

#: Steps in the short of it, neighbours on one side of the picture, and how wide a neighbour's name may be in it.
_STEPS, _NEIGHBOURS, _WIDE = 6, 5, 30
#: Where an edge puts its neighbour, by kind and by who drew it: (others, own).
_SIDES = {
    "preceded_by": ("after", "before"),
    "leads_to": ("before", "after"),
    "frequently_confused_with": ("confused", "confused"),
}
SIDES = {
    "before": noted("What leads here"),
    "after": noted("What may follow"),
    "confused": noted("What it is confused with"),
}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An error that an edge connects; `address` is None where the file doesn't have it."""

    id: str
    title: str
    address: str | None
    rate: str | None
    notes: tuple[Markup, ...]


def glance(document: Mapping[str, Any], lang: Lang) -> dict[str, Any]:
    """The verdict with its figures, and the steps: what works best first, what fails most surely first."""
    translated = document.get("workarounds_zh") or [] if lang == "zh" else []
    workarounds = document.get("workarounds") or []
    todo = [
        _step(
            f"workarounds-{at}", _at(translated, at) or step.get("action") or step.get("how"), step.get("success_rate")
        )
        for at, step in enumerate(workarounds, 1)
    ]
    dont = [
        _step(f"dead_ends-{at}", end.get("action") or end.get("why_fails"), end.get("fail_rate"))
        for at, end in enumerate(document.get("dead_ends") or [], 1)
    ]
    return {
        "_": translations(lang).gettext,
        # The page is headed by the Chinese, and the original stands under it.
        "heading": document.get("signature_zh") if lang == "zh" else None,
        "signature": document.get("signature"),
        "resolvable": document.get("resolvable"),
        "verdict": verdict(document.get("resolvable"), lang),
        "fix_rate": percent(document.get("fix_success_rate")),
        "confidence": percent(document.get("confidence")),
        "evidence": document.get("evidence_count"),
        "confirmed": document.get("last_confirmed") or document.get("last_updated"),
        "workarounds": sorted(todo, key=_surest)[:_STEPS],
        "dead_ends": sorted(dont, key=_surest)[:_STEPS],
    }


def _at(texts: Sequence[Any], position: int) -> Any:
    return texts[position - 1] if position <= len(texts) else None


def _step(anchor: str, text: Any, rate: Any) -> dict[str, Any]:
    return {"anchor": anchor, "text": inline(str(text or ""), 160), "rate": percent(rate), "sure": rate}


def _surest(step: Mapping[str, Any]) -> float:
    """Order by the claimed rate; the sort is stable, so equals stay as the document has them."""
    return -step["sure"] if step["rate"] else 0.0


def graph(edges: Sequence[Edge], own: str, lang: Lang, address: Callable[[str], str]) -> dict[str, Any] | None:
    """The neighbours on each side and a picture of them; None when there are none."""
    sides: dict[str, dict[str, Neighbour]] = {side: {} for side in SIDES}
    for edge in edges:
        name = edge.entry_id or edge.id or ""
        if name and name not in (found := sides[_SIDES[edge.kind][edge.outward]]):
            found[name] = _neighbour(edge, name, lang, address)
    if not any(sides.values()):
        return None
    shown = {side: list(found.values()) for side, found in sides.items()}
    return {"sides": shown, "titles": SIDES, "picture": _picture(shown, own)}


def _neighbour(edge: Edge, name: str, lang: Lang, address: Callable[[str], str]) -> Neighbour:
    title = (edge.signature_zh if lang == "zh" else None) or edge.signature or name
    notes = tuple(inline(note, 300) for note in (edge.condition, edge.distinction) if note)
    return Neighbour(name, title, address(edge.entry_id) if edge.entry_id else None, percent(edge.probability), notes)


def _picture(sides: Mapping[str, Sequence[Neighbour]], own: str) -> dict[str, Any]:
    """Boxes and lines: what leads here on the left, what follows on the right, what is taken for it below."""
    width, height, row = 230, 34, 44
    left, right = sides["before"][:_NEIGHBOURS], sides["after"][:_NEIGHBOURS]
    below = sides["confused"][:_NEIGHBOURS]
    tall = max(len(left), len(right), 1) * row
    middle = (tall - height) / 2
    columns = {"before": 5, "own": 265, "after": 525}
    # Neighbours are mostly of the same domain: the rest of the name tells them apart.
    domain = own.partition("/")[0] + "/"

    def box(x: float, y: float, kind: str, neighbour: Neighbour | None = None) -> dict[str, Any]:
        name = neighbour.id if neighbour else own
        return {
            "x": x, "y": y, "width": width, "height": height, "kind": kind, "text": _short(name.removeprefix(domain)),
            "title": f"{name}: {neighbour.title}" if neighbour else name,
            "address": neighbour.address if neighbour else None,
        }  # fmt: skip

    boxes = [box(columns["own"], middle, "own")]
    lines = []
    for side, column in (("before", left), ("after", right)):
        top = (tall - len(column) * row) / 2
        for at, neighbour in enumerate(column):
            y = top + at * row + (row - height) / 2
            boxes.append(box(columns[side], y, side, neighbour))
            ends = (columns["before"] + width, y), (columns["own"], middle)
            if side == "after":
                ends = (columns["own"] + width, middle), (columns["after"], y)
            lines.append({"kind": side, "x1": ends[0][0], "y1": ends[0][1] + height / 2,
                          "x2": ends[1][0], "y2": ends[1][1] + height / 2})  # fmt: skip
    for at, neighbour in enumerate(below):
        y = tall + 14 + at * row
        boxes.append(box(columns["own"], y, "confused", neighbour))
    if below:
        x = columns["own"] + width / 2
        lines.append({"kind": "confused", "x1": x, "x2": x, "y1": middle + height, "y2": tall + 14})
    return {"boxes": boxes, "lines": lines, "width": 760, "height": tall + (14 + len(below) * row if below else 0)}


def _short(text: str) -> str:
    """As much of a name as fits into a box; a Chinese character is as wide as two others."""
    used = 0
    for at, character in enumerate(text):
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > _WIDE:
            return text[: max(0, at - 1)] + "…"
    return text


def side_by_side(rows: Sequence[Mapping[str, Any]], lang: Lang, address: Callable[[str], str]) -> dict[str, Any] | None:
    """The variants as columns of a table; None when there is but one."""
    if len(rows) < 2:
        return None
    _ = translations(lang).gettext
    named = [{"name": row["environment"] or row["id"], "address": address(row["id"])} for row in rows]
    lines: list[tuple[str, Callable[[Mapping[str, Any]], Any]]] = [
        (_("Resolvable"), lambda row: verdict(row["resolvable"], lang)),
        (_("Fix rate"), lambda row: percent(row["fix_success_rate"])),
        (_("Reports"), lambda row: row["evidence_count"]),
        (_("Operating system"), lambda row: row["os"]),
        (_("Country"), lambda row: row["country"]),
        (
            _("Root cause"),
            lambda row: inline((row["root_cause_zh"] if lang == "zh" else "") or row["root_cause"] or "", 240),
        ),
        (_("Best workaround"), lambda row: inline(row["workaround"] or "", 240)),
    ]
    found = [(title, [of(row) for row in rows]) for title, of in lines]
    return {"named": named, "lines": [(title, cells) for title, cells in found if any(cells)]}
