"""Text in columns of a terminal, where a Chinese character takes two: measured, padded, cut and wrapped.

wcwidth knows how wide a character is; most text is ASCII and never asks it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache

# Characters that a line may be broken before and after, and those that keep to what they close or open
# (the classes ID, CL/NS/EX and OP of https://www.unicode.org/reports/tr14/, as far as Chinese text has them).
_IDEOGRAPH = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30fa"
    "\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U00020000-\U0003ffff"
)
_CLOSES = "，。、；：？！）】》」』〉〕”’…—～％·,.;:?!)\\]}%"
_OPENS = "（【《「『〈〔“‘(\\[{"
_PIECE = rf"\s+|[{_OPENS}]*(?:[{_IDEOGRAPH}]|(?:(?![{_OPENS}]+[{_IDEOGRAPH}])[^\s{_IDEOGRAPH}])+)?[{_CLOSES}]*"


@cache
def _of(character: str) -> int:
    from wcwidth import wcwidth

    return max(wcwidth(character), 0)


def width(text: str) -> int:
    """How many columns a text takes; a control character takes none."""
    return len(text) if text.isascii() else sum(map(_of, text))


def left(text: str, columns: int) -> str:
    """The text with blanks after it, so that it takes so many columns at least."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """The text with blanks before it, so that it takes so many columns at least."""
    return " " * (columns - width(text)) + text


def cut(text: str, columns: int) -> str:
    """The text, or as much of it as fits beside an ellipsis."""
    if width(text) <= columns:
        return text
    return _split(text, columns - 1)[0] + "…"


def _split(text: str, columns: int) -> tuple[str, str]:
    """What fits into so many columns, a character at least, and the rest."""
    used = 0
    for at, character in enumerate(text):
        used += _of(character)
        if used > columns and at:
            return text[:at], text[at:]
    return text, ""


def wrap(text: str, columns: int, *, whole: bool = False) -> list[str]:
    """A line broken into lines of so many columns at most: at blanks, and between Chinese characters.

    No line begins with what closes (。，） and the like) or ends with what opens. What is longer than a line is cut,
    or with `whole` left as it is: a terminal breaks it, and it is still one when it is copied.
    """
    if text.isascii():
        broken = textwrap.wrap(
            text, columns, break_on_hyphens=False, replace_whitespace=False, break_long_words=not whole
        )
        return broken or [""]
    lines = [""]
    for piece in re.findall(_PIECE, text, re.S) if whole else _pieces(text, columns):
        if lines[-1] and width(lines[-1]) + width(piece.rstrip()) > columns:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        if lines[-1] or len(lines) == 1 or not piece.isspace():
            lines[-1] += piece
    lines[-1] = lines[-1].rstrip()
    return lines if lines[-1] or len(lines) == 1 else lines[:-1]


def _pieces(text: str, columns: int) -> Iterator[str]:
    for piece in re.findall(_PIECE, text, re.S):  # compiled on first use: English never needs it
        while width(piece) > columns:
            first, piece = _split(piece, columns)
            yield first
        if piece:
            yield piece


def table(rows: Sequence[Sequence[str]], gap: int = 2) -> list[str]:
    """Rows of cells as lines whose columns begin at the same place; the last column is as wide as it is."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        (" " * gap).join([*(left(cell, columns) for cell, columns in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
