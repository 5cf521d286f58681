"""Chinese steps that stand unmarked below each other: which lines belong to which workaround.

Blank lines don't tell, since a step has some of its own. What tells is a step that equals the text of its workaround
(sites leave code untranslated), and between two of those the number of paragraphs, when it is the number of steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from culdesac.db.page_layout import flat
from culdesac.ingest.blocks import Block, joined

_TRIES = 8


def aligned(blocks: Sequence[Block], workarounds: Sequence[Mapping[str, Any]], last: bool) -> list[str]:
    """Split the blocks of the section into steps; what can't be split stays one text."""
    paragraphs = _paragraphs([block for block in blocks if block.kind != "heading"])
    texts = [item.get("how") or item.get("action") or "" for item in workarounds]
    steps: list[str] = []
    at = waiting = 0
    for text, (start, end) in zip(texts, _found(paragraphs, texts), strict=True):
        if start < 0:
            waiting += 1
            continue
        steps.extend(_split(paragraphs[at:start], waiting))
        steps.append(text)
        at, waiting = end, 0
    # With every step found, what follows in the last section is the site's.
    if not (last and steps and not waiting):
        steps.extend(_split(paragraphs[at:], waiting))
    return steps


def _paragraphs(blocks: Sequence[Block]) -> list[list[Block]]:
    paragraphs: list[list[Block]] = []
    for block in blocks:
        if block.gap or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(block)
    return paragraphs


def _split(paragraphs: Sequence[Sequence[Block]], count: int) -> list[str]:
    if not paragraphs:
        return []
    if len(paragraphs) == count:
        return [joined(paragraph, raw=True) for paragraph in paragraphs]
    return [joined([block for paragraph in paragraphs for block in paragraph], raw=True)]


def _found(paragraphs: Sequence[Sequence[Block]], texts: Sequence[str]) -> list[tuple[int, int]]:
    """From which paragraph to which each text stands there, but for its blanks; (-1, -1) when it doesn't."""
    shown = [flat(joined(paragraph, raw=True)) for paragraph in paragraphs]
    starts: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(shown):
        starts[text.partition(" ")[0]].append(index)
    spans: list[tuple[int, int]] = []
    at = 0
    for text in map(flat, texts):
        candidates = starts.get(text.partition(" ")[0], []) if text else []
        first = bisect_left(candidates, at)
        ends = ((start, _end(shown, start, text)) for start in candidates[first : first + _TRIES])
        span = next(((start, end) for start, end in ends if end), (-1, -1))
        at = max(at, span[1])
        spans.append(span)
    return spans


def _end(shown: Sequence[str], start: int, text: str) -> int:
    """After which paragraph the text ends that begins with `start`; 0 when it is another."""
    length = 0
    for index in range(start, len(shown)):
        if not text.startswith(shown[index], length):
            return 0
        length += len(shown[index])
        if length == len(text):
            return index + 1
        if not text.startswith(" ", length):
            return 0
        length += 1
    return 0
