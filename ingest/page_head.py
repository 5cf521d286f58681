"""The top of an entry page: its ID, the signature above it, and on other pages the words above that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from culdesac.db.page_layout import FIGURES, HEAD, Field, keyed, label_key, read_number, read_rate, split_label
from culdesac.ingest.blocks import Block


class Head(NamedTuple):
    """What the blocks up to the ID say, and where the others begin."""

    found: dict[str, Any]
    rest: int


_ID = HEAD[0]
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_ID_KEYS = dict.fromkeys(keyed(_ID.label), _ID)


def read_head(blocks: Sequence[Block]) -> Head | None:
    """Find the ID and read what stands above it; None when the page has no ID."""
    for at, block in enumerate(blocks):
        entry_id, rest = _id(blocks, at, block)
        if entry_id:
            found = {"id": entry_id} | _above(blocks[:at], entry_id)
            if "signature" not in found:
                # Some have the ID first; only a heading of the first level is sure to be the signature then.
                below = next((other for other in blocks[rest:] if other.kind == "heading"), None)
                if below and below.level == 1 and below.text:
                    found["signature"] = below.text
            return Head(found, rest)
    return None


def _id(blocks: Sequence[Block], at: int, block: Block) -> tuple[str, int]:
    """The ID that a block gives, and where the next block is; "" when it gives none."""
    if block.kind == "label" and label_key(block.text) in _ID_KEYS and at + 1 < len(blocks):
        value = blocks[at + 1]
        return (value.text, at + 2) if value.kind in ("text", "code") else ("", 0)
    if block.kind in ("text", "item"):
        labelled = split_label(block.text, _ID_KEYS)
        if labelled and re.fullmatch(r"[^\s/]+/\S+", labelled[1].strip("`")):
            return labelled[1].strip("`"), at + 1
    return "", 0


def _above(blocks: Sequence[Block], entry_id: str) -> dict[str, Any]:
    titles = [block for block in blocks if block.kind == "heading" and block.level == 1 and block.text]
    badges, at = _badges(blocks, entry_id.partition("/")[0], bool(titles))
    found: dict[str, Any] = _named(badges)
    if titles:
        return found | {"signature": titles[-1].text}
    below = _paragraphs(blocks[at + 1 :])
    above = _paragraphs(blocks if at < 0 else blocks[:at])
    # Right under the badges; where those stand right above the ID, or there are none, the last words before.
    signature = below[0] if badges and below else above[-1] if above else ""
    return found | {"signature": signature} if signature else found


def _paragraphs(blocks: Sequence[Block]) -> list[str]:
    paragraphs: list[list[str]] = []
    for block in blocks:
        if block.kind in ("text", "row", "item"):
            if block.gap or not paragraphs:
                paragraphs.append([])
            paragraphs[-1].append(block.text)
    return ["\n".join(lines) for lines in paragraphs]


_WORD = re.compile(r"[\w.+#-]{1,60}")
_TIER = re.compile(r"(?:\w{1,30}_)?(?:generated|verified|reviewed|confirmed|validated|tested)")


def _badges(blocks: Sequence[Block], domain: str, titled: bool) -> tuple[list[str], int]:
    """The line "domain category tier resolvable", however much of it there is, and its last block."""
    best: tuple[list[str], int] = ([], -1)
    for at, block in enumerate(blocks):
        words = block.text.split() if block.kind in ("text", "item") and len(block.text) < 250 else []
        if not words or words[0].casefold() != domain.casefold():
            continue
        end = at
        # In HTML each can be a block of its own; in plain text the next line could be the signature.
        while titled and len(words) < 4 and end + 1 < len(blocks) and _WORD.fullmatch(blocks[end + 1].text):
            end += 1
            words.append(blocks[end].text)
        if len(words) <= 4 and all(_WORD.fullmatch(word) for word in words) and len(words) >= len(best[0]):
            best = (words, end)
    return best


def _named(words: Sequence[str]) -> dict[str, Any]:
    """Give the badges their names; of fewer than four, each by what it can only be."""
    if len(words) == 4:
        return dict(zip(("domain", "category", "verification_tier", "resolvable"), words, strict=True))
    found = dict(zip(("domain",), words, strict=False))
    rest = list(words[1:])
    if rest and rest[-1] in ("true", "false", "partial"):
        found["resolvable"] = rest.pop()
    if rest and (len(rest) == 2 or _TIER.fullmatch(rest[-1])):
        found["verification_tier"] = rest.pop()
    if rest:
        found["category"] = rest.pop()
    return found


_FIGURES = {key: field for field in HEAD if field.key in FIGURES for key in keyed(field.label)}
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}")


def read_figures(blocks: Sequence[Block]) -> dict[str, Any]:
    """Read figures as sites show them: "78%Fix Rate" in one piece, or the value and its name one after the other."""
    found: dict[str, Any] = {}
    value, field = "", None
    for block in blocks:
        if block.kind not in ("text", "item") or len(block.text) > 100:
            continue
        text = block.text
        key = label_key(text)
        if key in _FIGURES:
            field = _FIGURES[key]
        elif _is_figure(text):
            value = text
        else:
            name = next((name for name in _FIGURES if key.endswith(name) or key.startswith(name)), "")
            if name:
                start = key.endswith(name)
                value = text[: -len(name)] if start else text[len(name) :]
                field = _FIGURES[name]
        if value and field:
            figure = _figure(field, value.strip(" :："))
            if figure is not None:
                found.setdefault(field.key, figure)
            value, field = "", None
    return found


def _is_figure(text: str) -> bool:
    return bool(_DATE.fullmatch(text)) or read_number(_ungrouped(text.removesuffix("%").rstrip())) is not None


def _ungrouped(text: str) -> str:
    """A number without the commas between its thousands."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def _figure(field: Field, text: str) -> Any:
    if field.kind == "rate":
        return read_rate(text.replace(" ", ""))
    if field.kind == "number":
        return read_number(_ungrouped(text))
    return text if _DATE.fullmatch(text) else None
