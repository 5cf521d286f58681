"""Text and Markdown as one neutral stream of blocks, which the grammar of `page` reads; `page_html` adds HTML.

Everything here takes time in proportion to the text: lines are looked at once, and no expression can backtrack over
more than a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from culdesac.db.page_layout import flat
from culdesac.ingest.page_titles import foreign_title


@dataclass(slots=True)
class Block:
    """A piece of a page. A `label` says what the blocks after it are; a `row` is a line of a table."""

    kind: Literal["heading", "text", "code", "label", "item", "row"]
    text: str
    level: int = 0
    cells: tuple[str, ...] = ()
    #: Blank lines before it. Where a surface has paragraphs instead of lines, each has one.
    gap: int = 1
    #: The lines it was made of, for those who want the text as it stood.
    raw: str = ""
    #: Where the text leads, in HTML.
    link: str = ""
    #: Whether a code block had its end.
    closed: bool = True


def joined(blocks: Sequence[Block], *, raw: bool = False) -> str:
    """The lines of the blocks, with the blank ones between them; `raw`, each as it stood."""
    parts: list[str] = []
    for block in blocks:
        parts.append("\n" * (block.gap + 1) if parts else "")
        parts.append(block.raw if raw and block.raw else block.text)
    return "".join(parts)


_FENCE = re.compile(r"( {0,12}(?:(?:[-*+]|[0-9]{1,9}[.)]) )?)(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*))?$")
_LABEL = re.compile(r"\*\*((?:[^*\\]|\\.)++)\*\*[ \t]*(.*)$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+(.*))?$")
_RULE = re.compile(r"[ \t|:]*-[-| \t:]*$")
_CELL = re.compile(r"((?:[^|\\]|\\.|\\$)*)(?:\||$)")


class _Lines:
    """The lines of a page, taken one at a time, with fenced code as one."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.at = 0

    def __iter__(self) -> Iterator[tuple[str, re.Match[str] | None]]:
        """Each line, with the match of a fence that it opens."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            yield line, _FENCE.match(line)

    def fenced(self, fence: re.Match[str], heading: str = "") -> Block:
        """Take the lines up to the closing fence, or to the end.

        A website doesn't lengthen its fence when there is one inside; but the heading above has the same text,
        flattened, and so tells which fence is the last.
        """
        indent, mark = len(fence[1]), fence[2]
        closing = re.compile(rf" {{0,{indent + 3}}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        start, end, length, told = self.at, None, -1, None
        for at in range(start, len(self.lines)):
            line = self.lines[at]
            if closing.match(line):
                end = at if end is None else end
                if not heading or (length == len(heading) and heading == flat(" ".join(self.lines[start:at]))):
                    end = at
                    break
            shown = flat(line)
            length += len(shown) + 1 if shown else 0
            if heading and length == len(heading) and heading == flat(" ".join(self.lines[start : at + 1])):
                told = at + 1
            if end is not None and length > len(heading):
                break
        closed = end is not None
        if end is None:
            # Never closed: it ends where it has said what the heading says, or with the page.
            end = len(self.lines) if told is None else told
            self.at = end
        else:
            self.at = end + 1
        content = [_unindented(line, indent) for line in self.lines[start:end]]
        return Block("code", "\n".join(content), raw="\n".join(self.lines[start - 1 : end + closed]), closed=closed)


def _unindented(line: str, indent: int) -> str:
    """A line without the blanks that its fence has before it."""
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, indent) :]


def text_blocks(text: str) -> list[Block]:
    """The blocks of a page copied as plain text: lines, rows of a table where there are tabs, and fenced code."""
    blocks: list[Block] = []
    gap = 1
    lines = _Lines(text)
    for line, fence in lines:
        shown = flat(line)
        if fence and not fence[1].strip():
            title = foreign_title("workarounds", blocks[-1].text, line=True) if blocks and not gap else None
            block = lines.fenced(fence, title.action if title else "")
        elif not shown:
            gap += 1
            continue
        elif "\t" in line.strip(" "):
            cells = tuple(flat(cell) for cell in line.split("\t"))
            block = Block("row", shown, cells=cells, raw=line.rstrip())
        else:
            block = Block("text", shown, raw=line.rstrip())
        block.gap, gap = gap, 0
        blocks.append(block)
    return blocks


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown page: what our own pages use of the language, and what is close to it."""
    blocks: list[Block] = []
    gap = 1
    lines = _Lines(text)
    for line, fence in lines:
        if fence:
            new = [lines.fenced(fence)]
        elif not line or line.isspace():
            gap += 1
            continue
        else:
            new = _markdown_line(line)
        for block in new:
            block.gap, gap = gap, 0
        blocks.extend(new)
    return blocks


def _markdown_line(line: str) -> list[Block]:
    heading = _HEADING.match(line)
    if heading:
        title = re.sub(r"[ \t]#+$", "", (heading[2] or "").rstrip())
        return [Block("heading", decoded(title.strip()), level=len(heading[1]))]
    if line.startswith("|"):
        if _RULE.match(line):
            return []
        return [Block("row", flat(line), cells=_cells(line), raw=line)]
    item = _ITEM.match(line)
    content = (item[1] or "" if item else line).strip()
    label = _LABEL.match(content)
    if label and (label[1][-1] in ":：" or label[2][:1] in (":", "：")):
        return _labelled(label[1], label[2])
    return [Block("item" if item else "text", decoded(content))]


def _labelled(name: str, value: str) -> list[Block]:
    """ "**Label:** value"; others have the colon outside."""
    name, value = (name[:-1], value.strip()) if name[-1] in ":：" else (name, value[1:].strip())
    blocks = [Block("label", decoded(name))]
    if value:
        blocks.append(Block("text", decoded(value)))
    return blocks


def _cells(line: str) -> tuple[str, ...]:
    body = line.strip()[1:]
    cells = [decoded(found[1].strip()) for found in _CELL.finditer(body)]
    # The last pipe is followed by nothing: that is no cell.
    return tuple(cells[:-1] if body.endswith("|") else cells)


_LINK = re.compile(r"<(https?://[^\s<>]+)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|`[^`]*`")


def decoded(text: str) -> str:
    """A line of Markdown as the text it was made of."""
    link = _LINK.fullmatch(text)
    if link:
        return link[1]
    code = _code(text) if text.startswith("`") else ""
    return code or _ESCAPED.sub(lambda found: found[1] or found[0], text)


def _code(text: str) -> str:
    """What a line that is code as a whole has between its backticks; "" for another."""
    ticks = len(text) - len(text.lstrip("`"))
    inner = text[ticks:-ticks]
    whole = text == f"{'`' * ticks}{inner}{'`' * ticks}" and inner and inner[-1] != "`"
    if not whole or any(len(run) == ticks for run in re.findall("`+", inner)):
        return ""
    return inner[1:-1] if inner[0] == inner[-1] == " " and inner.strip() else inner
