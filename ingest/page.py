"""Entry pages read back into documents: ours exactly, those of other sites as far as they can be understood.

A page comes as plain text, Markdown or HTML; each becomes the same stream of blocks (`blocks`, `page_html`), and one
grammar, the tables of `page_layout`, says what the blocks mean. What it doesn't know is left out, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from culdesac.db.dialects import FLAT, Group, Items, Notes, Part
from culdesac.db.messages import _
from culdesac.db.page_layout import FACTS, SECTION_KEYS, SECTIONS, Section, label_key
from culdesac.ingest.blocks import Block, markdown_blocks, text_blocks
from culdesac.ingest.page_head import read_figures, read_head
from culdesac.ingest.page_html import html_blocks
from culdesac.ingest.page_sections import READERS, labelled
from culdesac.ingest.page_titles import foreign_title, own_title


class PageError(ValueError):
    """A text that is no entry page: one line, what is missing and what to do."""


_HTML = re.compile(
    r"\s*<(?:!doctype\s|!--|(?:html|head|body|article|main|header|section|div|nav|p|h[1-6]|dl|ul|table)[\s>])",
    re.IGNORECASE,
)
_MARKDOWN_ID = re.compile(r"^(?:[-*] )?\*\*(?:ID|编号)(?:[:：]\*\*|\*\*[:：])", re.MULTILINE)
_MARKDOWN_SECTION = re.compile(r"^##[ \t]+([^\n]{1,60})$", re.MULTILINE)
_ID_LINE = re.compile(
    r"(?<![\w-])(?:ID|编号)(?:[ \t\n:：*`]|</?(?:b|code|dd|dt|span|strong|t[hd])(?:\s[^<>]{0,200})?>){1,40}"
    r"[^\s/<>`]{1,200}/[^\s<]"
)


def looks_like_page(text: str) -> bool:
    """Whether a text could be an entry page: not JSON, and somewhere "ID: domain/slug" or our own ID line."""
    if re.match(r'\s*(?:\{|\[\s*[\[{"\]])', text):
        return False
    if _MARKDOWN_ID.search(text) or _ID_LINE.search(text):
        return True
    return bool(_HTML.match(text)) and bool(re.search(r"<article class=\"?entry\b", text))


def read_page(text: str) -> dict[str, Any]:
    """Read an entry page (plain text, Markdown or HTML, labels in English or Chinese) into a flat document.

    What our pages were made of comes back exactly, but for null, "", [], {} and absent, which are one on a page, for
    unknown fields, and for control characters other than tab and newline. On pages of others, lines that mean nothing
    here are left out.

    Raises PageError when the text has no ID or no signature.
    """
    return read_page_with_notes(text)[0]


def read_page_with_notes(text: str) -> tuple[dict[str, Any], list[str]]:
    """As `read_page`, with what a reader of a stranger's page should know: a line for each thing that looks amiss."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # A lone surrogate is no character; HTML and UTF-8 have no place for it.
    text = text.encode("utf-8", "replace").decode() if not text.isascii() else text
    blocks = _surface(text)(text)
    head = read_head(blocks)
    if not head:
        raise PageError(_("no ID: an entry page has a line `ID: domain/slug`; give the page of one entry"))
    top, contents = _contents(blocks, head.rest)
    named, loose = labelled(top, FACTS)
    document = head.found | named
    if not document.get("signature"):
        raise PageError(
            _("no signature: expected the error message above the ID {id}").format(id=repr(document["id"][:100]))
        )
    for key, figure in read_figures(loose).items():
        document.setdefault(key, figure)
    for section in SECTIONS:
        if section.key in contents:
            last = section.key == next(reversed(contents))
            READERS[section.form](document, section, contents[section.key], last)
    return _shaped(FLAT.parts, _told_apart(document)), _notes(blocks)


def _told_apart(document: dict[str, Any]) -> dict[str, Any]:
    """A page in Chinese has the Chinese of a text first and what it was made from under it: each to its own field."""
    original = document.pop("root_cause_original", None)
    if original is not None:
        document |= {"root_cause": original, "root_cause_zh": document.get("root_cause")}
    steps = document.get("workarounds", [])
    if any("text_zh" in step for step in steps):
        document["workarounds_zh"] = [step.pop("text_zh", "") for step in steps]
    for step in steps:
        if "original" in step:
            step["action"] = step["how"] = step.pop("original")
    return document


def _notes(blocks: Sequence[Block]) -> list[str]:
    notes = []
    if any(not block.closed for block in blocks):
        notes.append(_("a code block is never closed; where it ends was guessed from its heading, or it took the rest"))
    if sum(block.kind == "text" and _ID_LINE.match(block.text) is not None for block in blocks) > 1:
        notes.append(_("more than one ID line: only the first entry of the page was read; give each page a file"))
    return notes


def _surface(text: str) -> Callable[[str], list[Block]]:
    if _HTML.match(text):
        return html_blocks
    if _MARKDOWN_ID.search(text) or any(
        label_key(found[1]) in SECTION_KEYS for found in _MARKDOWN_SECTION.finditer(text)
    ):
        return markdown_blocks
    return text_blocks


def _contents(blocks: Sequence[Block], start: int) -> tuple[list[Block], dict[str, list[Block]]]:
    """The blocks up to the first section, and those of each section, in the order of the page."""
    top: list[Block] = []
    contents: dict[str, list[Block]] = {}
    section: Section | None = None
    target, level = top, 2
    for at in range(start, len(blocks)):
        block = blocks[at]
        opened = _opened(block, section, level, after_label=blocks[at - 1].kind == "label")
        if opened:
            section, level = opened, block.level or 2
            # A second one of a name is a table of contents, or another entry.
            target = [] if opened.key in contents else contents.setdefault(opened.key, [])
        elif block.kind == "heading" and block.level <= level and not _is_step(section, block):
            # The title can stand below the ID; any other heading that means nothing ends what was before it.
            target = target if section is None and block.level == 1 else []
        else:
            target.append(block)
    return top, contents


def _opened(block: Block, section: Section | None, level: int, *, after_label: bool) -> Section | None:
    """The section that a block is the heading of."""
    if block.kind not in ("heading", "text"):
        return None
    opened = SECTION_KEYS.get(label_key(block.text))
    if not opened:
        return None
    if block.kind == "heading":
        # Below a list of steps, a deeper heading is a step, whatever it is called.
        return None if section and section.form == "steps" and block.level > level else opened
    beside = section is not None and opened.parent in (section.key, section.parent)
    return opened if block.gap and not after_label and (beside or not opened.parent) else None


def _is_step(section: Section | None, block: Block) -> bool:
    return bool(section and (own_title(section.key, block.text) or foreign_title(section.key, block.text)))


def _shaped(parts: Sequence[Part], found: Mapping[str, Any]) -> dict[str, Any]:
    """A document with the keys of the flat dialect, in its order; what has no value is what the dialect has then."""
    document: dict[str, Any] = {}
    for part in parts:
        value = found.get(part.key)
        if isinstance(part, Group):
            value = _shaped(part.parts, value or {}) or None
        elif isinstance(part, Items) and value:
            value = [_shaped(part.parts, item) for item in value]
        if value is not None:
            document[part.key] = value
        elif part.blank == "null":
            document[part.key] = None
        elif part.blank == "empty":
            document[part.key] = {} if isinstance(part, Group | Notes) else []
    return document
