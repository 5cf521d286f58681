"""What an entry's page shows beside the entry itself: its place in the graph, its variants."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from culdesac.db.messages import Lang, translations
from culdesac.plugins.web.labels import verdict
from culdesac.plugins.web.pool import Edge
from culdesac.plugins.web.texts import inline, percent

#: Neighbours on one side of the picture, and how wide a neighbour's name may be in it.
_NEIGHBOURS, _WIDE = 4, 40
#: The sections of the graph, by the side of the picture.
SIDES = {"before": "preceded_by", "after": "leads_to", "confused": "frequently_confused_with"}
#: Where an edge puts its neighbour, by kind and by who drew it: (others, own).
_SIDES = {
    "preceded_by": ("after", "before"),
    "leads_to": ("before", "after"),
    "frequently_confused_with": ("confused", "confused"),
}
#: The picture, in its own units: its width, a box, from one box to the next, how far others stand in from the middle.
_WIDTH, _HEIGHT, _ROW, _INSET = 340, 30, 38, 24


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An error that an edge connects; `address` is None where the file doesn't have it."""

    id: str
    title: str
    address: str | None
    rate: str | None
    notes: tuple[Markup, ...]


def graph(edges: Sequence[Edge], title: str, lang: Lang, address: Callable[[str], str]) -> dict[str, Any] | None:
    """The errors around an entry, and a picture of them; None when there are none.

    `own` has those that the entry names, by the id it gives; `incoming` by side those that name it and that it doesn't.
    """
    own: dict[str, Neighbour] = {}
    sides: dict[str, dict[str, Neighbour]] = {side: {} for side in SIDES}
    incoming: dict[str, list[Neighbour]] = {side: [] for side in SIDES}
    for edge in edges:
        side = _SIDES[edge.kind][edge.outward]
        name = edge.entry_id or edge.id or ""
        found = _neighbour(edge, name, lang, address)
        if edge.outward and edge.id:
            own.setdefault(edge.id, found)
        if name and name not in sides[side]:
            sides[side][name] = found
            if not edge.outward:
                incoming[side].append(found)
    if not any(sides.values()):
        return None
    shown = {side: list(found.values()) for side, found in sides.items()}
    return {"own": own, "incoming": incoming, "picture": _picture(shown, title)}


def _neighbour(edge: Edge, name: str, lang: Lang, address: Callable[[str], str]) -> Neighbour:
    title = (edge.signature_zh if lang == "zh" else None) or edge.signature or name
    notes = tuple(inline(note, 300) for note in (edge.condition, edge.distinction) if note)
    return Neighbour(name, title, address(edge.entry_id) if edge.entry_id else None, percent(edge.probability), notes)


def _picture(sides: Mapping[str, Sequence[Neighbour]], title: str) -> dict[str, Any]:
    """Boxes from top to bottom: what leads here, this error, what follows, and dashed what is taken for it.

    Lines run beside the boxes: on the left from what comes first to what comes then, on the right to what is confused.
    """
    boxes: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    top, own, left, right = 1.0, 0.0, _INSET / 2, _WIDTH - _INSET / 2

    def box(kind: str, text: str, neighbour: Neighbour | None = None) -> float:
        nonlocal top
        inner = kind != "own"
        boxes.append({
            "x": _INSET if inner else 1, "y": top, "height": _HEIGHT,
            "width": _WIDTH - 2 * (_INSET if inner else 1), "kind": kind, "text": _short(text, _WIDE - 4 * inner),
            "title": f"{neighbour.id}: {neighbour.title}" if neighbour else title,
            "address": neighbour.address if neighbour else None,
        })  # fmt: skip
        top += _ROW
        return top - _ROW + _HEIGHT / 2

    before = [box("before", one.title, one) for one in sides["before"][:_NEIGHBOURS]]
    top += 8 if before else 0
    own = box("own", title)
    if before:
        lines += [{"kind": "before", "path": f"M{_INSET} {y:g}H{left:g}"} for y in before]
        lines.append({"kind": "before", "path": f"M{left:g} {before[0]:g}V{own - _HEIGHT / 2:g}", "arrow": True})
    for side, x, edge in (("after", left, _INSET), ("confused", right, _WIDTH - _INSET)):
        shown = sides[side][:_NEIGHBOURS]
        top += 8 if shown else 0
        middles = [box(side, one.title, one) for one in shown]
        lines += [{"kind": side, "path": f"M{x:g} {y:g}H{edge:g}", "arrow": side == "after"} for y in middles]
        if middles:
            lines.append({"kind": side, "path": f"M{x:g} {own + _HEIGHT / 2:g}V{middles[-1]:g}"})
    return {"boxes": boxes, "lines": lines, "width": _WIDTH, "height": top - _ROW + _HEIGHT + 1}


def _short(text: str, wide: int) -> str:
    """As much of a name as fits into a box; a Chinese character is as wide as two others."""
    text, used = " ".join(text[: 4 * wide].split()), 0
    for at, character in enumerate(text):
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > wide:
            return text[: max(0, at - 1)].rstrip() + "…"
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
