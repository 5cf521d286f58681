"""What stands under each heading of an entry page: one reader for each form of a section."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from culdesac.db.page_layout import (
    FIELD_KEYS,
    NOTHINGS,
    RATES,
    Field,
    Section,
    label_key,
    read_number,
    read_path,
    read_rate,
    read_value,
    same_step,
    split_label,
)
from culdesac.ingest.blocks import Block, joined
from culdesac.ingest.page_align import aligned
from culdesac.ingest.page_titles import Title, foreign_title, own_title

Document = dict[str, Any]
#: Puts what the blocks of a section say into the document. The last section may be followed by lines of the site.
Reader = Callable[[Document, Section, Sequence[Block], bool], None]


def put(document: Document, place: Sequence[str], value: Any) -> None:
    """Set a value in the document unless there is one or it is nothing."""
    if value in (None, "", [], {}):
        return
    for key in place[:-1]:
        document = document.setdefault(key, {})
    document.setdefault(place[-1], value)


def labelled(blocks: Sequence[Block], fields: Mapping[str, Field]) -> tuple[dict[str, Any], list[Block]]:
    """Take the values that have a label; the other blocks are left over."""
    found: dict[str, Any] = {}
    loose: list[Block] = []
    field: Field | None = None
    waiting = False
    for block in blocks:
        if block.kind == "label":
            field, waiting = fields.get(label_key(block.text)), True
        elif waiting and field and field.kind == "links":
            found.setdefault(field.key, []).append(_parsed(field, block))
        elif waiting:
            if field:
                put(found, (field.key,), _parsed(field, block))
            waiting = False
        else:
            pair = split_label(block.text, dict(fields)) if block.kind in ("text", "item") else None
            if not pair:
                loose.append(block)
            elif pair[1] not in NOTHINGS:
                value = _parsed(pair[0], Block("text", pair[1], link=block.link))
                put(found, (pair[0].key,), [value] if pair[0].kind == "links" else value)
    return found, loose


def _parsed(field: Field, block: Block) -> Any:
    """The value of a field; None when it isn't what the field holds."""
    if field.kind == "rate":
        return read_rate(block.text)
    if field.kind == "number":
        return read_number(block.text)
    if field.kind in ("link", "links") and block.link and not re.match("https?://", block.text):
        return block.link
    return block.text


def _facts(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    found, loose = labelled(blocks, FIELD_KEYS[section.key])
    document.update({key: value for key, value in found.items() if key not in document})
    if section.key == "documentation":
        # Elsewhere the address stands alone.
        words = (word for block in loose for word in (*block.text.split(), block.link))
        put(document, ("official_doc_url",), next((w for w in words if re.match(r"https?://\S", w)), None))


_TYPE = re.compile(r"[a-z][a-z0-9]{0,30}(?:[_-][a-z0-9]{1,30}){0,3}")


def _prose(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    found, loose = labelled(blocks, FIELD_KEYS[section.key])
    for key, value in found.items():
        put(document, (key,), value)
    loose = [block for block in loose if block.kind != "heading"]
    if loose and loose[0].kind == "code":
        put(document, section.place, loose[0].text)
        return
    starts = [at for at, block in enumerate(loose) if block.gap or not at]
    ends = [*starts[1:], len(loose)]
    end = ends[0] if last and ends else len(loose)
    if section.fields:
        # Its type is a word of its own below the text.
        for start, stop in zip(starts[1:], ends[1:], strict=True):
            if stop == start + 1 and _TYPE.fullmatch(loose[start].text):
                put(document, (section.fields[0].key,), loose[start].text)
                end = start
                break
    put(document, section.place, joined(loose[:end]))


def _table(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    fields = FIELD_KEYS[section.key]
    columns: list[Field | None] = []
    rows: list[dict[str, Any]] = []
    for block in blocks:
        if block.kind == "row" and not columns:
            named = [fields.get(label_key(cell)) for cell in block.cells]
            columns = named if section.fields[0] in named else []
        elif columns and (block.kind == "row" or (block.kind == "text" and not block.gap)):
            rows.append(_cells(columns, block))
        elif columns:
            break
    put(document, section.place, rows or [labelled(own, fields)[0] for _, own in _steps(section, blocks)])


def _cells(columns: Sequence[Field | None], block: Block) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for field, cell in zip(columns, block.cells or (block.text,), strict=False):
        if field and cell not in NOTHINGS:
            put(row, (field.key,), _parsed(field, Block("text", cell)))
    return row


def _steps(section: Section, blocks: Sequence[Block]) -> list[tuple[Title, list[Block]]]:
    """The items of a section that have headings of their own, each with its blocks."""
    steps: list[tuple[Title, list[Block]]] = []
    named = any(block.kind == "heading" and _title(section.key, block.text) for block in blocks)
    values = ignored = False
    for block in blocks:
        title = None
        if block.kind == "heading":
            title = _title(section.key, block.text)
            if not title and not named and section.key in RATES:
                # Without a single rate, every heading is one.
                title = Title(None, block.text)
            ignored, values = not title, False
        elif block.kind in ("text", "item") and not values:
            title = foreign_title(section.key, block.text, line=True)
        values = values or block.kind == "label"
        if title:
            steps.append((title, []))
        elif steps and not ignored:
            steps[-1][1].append(block)
    return steps


def _title(key: str, text: str) -> Title | None:
    return own_title(key, text) or foreign_title(key, text)


def _workarounds(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    steps = _steps(section, blocks)
    final = len(steps) - 1 if last else -1
    items: list[dict[str, Any]] = []
    for at, (title, own) in enumerate(steps):
        found, loose = labelled(own, FIELD_KEYS[section.key])
        item: dict[str, Any] = {}
        put(item, (RATES[section.key][0],), title.rate)
        for key, value in ({"action": title.action} | found).items():
            put(item, (key,), value)
        _READ_LOOSE[section.key](item, loose, at == final)
        items.append(item)
    numbers = [title.number for title, _ in steps]
    if len({*numbers} - {None}) == len(items):
        # The page has the best first; the numbers say how their author had them.
        items = [item for _, item in sorted(zip(numbers, items, strict=True), key=lambda pair: pair[0] or 0)]
    put(document, section.place, items)


def _how(item: dict[str, Any], loose: Sequence[Block], final: bool) -> None:
    """The steps of a workaround: the first code; without any, the text below the heading."""
    code = next((at for at, block in enumerate(loose) if block.kind == "code"), None)
    text = joined(_together(loose if code is None else loose[:code], final))
    how = text if code is None else loose[code].text
    if code is not None and text:
        put(item, ("action",), text)
    if not item.get("action") or same_step(item["action"], how):
        # Nothing but the text itself, or the text flattened, stands above it: it is both.
        if how:
            item["action"] = how
        if code is None:
            return
    put(item, ("how",), how)


def _why(item: dict[str, Any], loose: Sequence[Block], final: bool) -> None:
    put(item, ("why_fails",), joined(_together(loose, final)))


def _together(blocks: Sequence[Block], final: bool) -> list[Block]:
    """The blocks that belong to a step: of the last one only those before a blank line, for what follows then may be
    the site's."""
    kept = [block for block in blocks if block.kind != "heading"]
    stop = next((at for at, block in enumerate(kept) if at and block.gap), len(kept)) if final else len(kept)
    return kept[:stop]


_READ_LOOSE = {"workarounds": _how, "dead_ends": _why}


def _list(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    values = [block.text for block in blocks if block.kind in ("item", "code")]
    if section.chinese and not any(block.kind == "item" for block in blocks):
        loose = any(block.kind in ("text", "row") for block in blocks)
        values = aligned(blocks, document.get("workarounds", []), last) if loose else values
    put(document, section.place, values)


def _map(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    tree: dict[str, Any] = {}
    path: tuple[str | int, ...] | None = None
    for block in blocks:
        if block.kind == "label":
            path = read_path(block.text)
        elif path:
            _grow(tree, path, block.text if block.kind == "code" else read_value(block.text))
            path = None
    put(document, section.place, tree)


def _grow(tree: dict[str, Any], path: tuple[str | int, ...], value: Any) -> None:
    """Set the value at a path, whose objects and lists come to be on the way; a path that doesn't fit is left out."""
    target: Any = tree
    for at, step in enumerate(path):
        leaf = at == len(path) - 1
        new: Any = value if leaf else [] if isinstance(path[at + 1], int) else {}
        if isinstance(step, int) and isinstance(target, list) and step == len(target):
            target.append(new)
        elif isinstance(step, str) and isinstance(target, dict) and step not in target:
            target[step] = new
        elif leaf or not _has(target, step):
            return
        target = target[step]


def _has(target: Any, step: str | int) -> bool:
    if isinstance(step, int):
        return isinstance(target, list) and step < len(target)
    return isinstance(target, dict) and step in target


def _nothing(document: Document, section: Section, blocks: Sequence[Block], last: bool) -> None:
    """A heading that only groups, or what isn't of the document."""


READERS: dict[str, Reader] = {
    "facts": _facts,
    "prose": _prose,
    "table": _table,
    "steps": _workarounds,
    "list": _list,
    "map": _map,
    "group": _nothing,
    "notes": _nothing,
}
