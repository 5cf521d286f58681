"""HTML as the neutral stream of blocks that `blocks` makes of text and Markdown.

The tags are taken one by one and no tree is built: the parsers that build one need minutes for a megabyte of open
`<div>` (lexbor, as in selectolax 1.0: 108 s), and a stream of blocks needs no more than where a block ends.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from culdesac.db.page_layout import flat
from culdesac.ingest.blocks import Block

#: A start tag ("p") with its attributes, an end tag ("/p"), or a text (no tag).
_Token = tuple[str, str]

# No part of it looks past the next "<", so that a page full of half tags costs no more than another.
_TAG = re.compile(r"""<(/?[A-Za-z][A-Za-z0-9-]*+)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>|<!--|<[!?][^<>]*+>""")
# What an element of our own page shows, as its author wrote it.
_WRITTEN = re.compile(r'\sdata-text="([^"]*)"')
_RAW = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style", "textarea", "title")}
_DROPPED = frozenset(("aside", "button", "footer", "form", "head", "nav", "noscript", "svg", "template"))
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 3, "caption": 6}
_BLOCKS = frozenset((
    "address", "article", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "figure", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "ol", "p", "pre", "section", "summary", "table",
    "tbody", "td", "th", "thead", "tr", "ul",
))  # fmt: skip
# Badges and figures often stand side by side in these, with nothing but their style between them.
_APART = frozenset(("a", "label", "small", "span", "strong"))
_AFTER_APART = frozenset(f"/{name}" for name in _APART)
#: What ends a row of a table, should its own end be missing.
_ROWS = frozenset(("tr", "table", "tbody", *_HEADINGS))


def html_blocks(text: str) -> list[Block]:
    """The blocks of an HTML page: those of its `<article>` (of class "entry" first) when it has one."""
    tokens, ours = _article(list(_kept(_tokens(text))))
    walker = _Walker(exact=ours)
    for token in _as_written(tokens) if ours else tokens:
        walker.take(token)
    walker.flush()
    return walker.blocks


def _tokens(text: str) -> Iterator[_Token]:
    """The tags of a page and the texts between them; comments, scripts and styles are neither."""
    at = 0
    while found := _TAG.search(text, at):
        if found.start() > at:
            yield "", _unescaped(text[at : found.start()])
        at = found.end()
        if text.startswith("<!--", found.start()):
            end = text.find("-->", found.start() + 4)
            at = len(text) if end < 0 else end + 3
        elif found[1]:
            tag = found[1].lower()
            yield tag, found[2]
            if tag in _RAW:
                end_tag = _RAW[tag].search(text, at)
                at = end_tag.start() if end_tag else len(text)
    if at < len(text):
        yield "", _unescaped(text[at:])


def _unescaped(text: str) -> str:
    # html.unescape turns the digits into a number whatever their length.
    return html.unescape(re.sub(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?", "\ufffd", text)) if "&" in text else text


def _kept(tokens: Iterator[_Token]) -> Iterator[_Token]:
    """All but navigation, forms and the like."""
    inside, depth = "", 0
    for tag, text in tokens:
        if inside:
            depth += (tag == inside) - (tag == f"/{inside}")
            inside = inside if depth else ""
        elif tag in _DROPPED and not text.endswith("/"):
            inside, depth = tag, 1
        else:
            yield tag, text


def _article(tokens: list[_Token]) -> tuple[list[_Token], bool]:
    """What is inside of the article, and whether it is one of ours."""
    starts = [at for at, (tag, _) in enumerate(tokens) if tag == "article"]
    own = next((at for at in starts if re.search(r"""\bclass=["']?entry\b""", tokens[at][1])), None)
    if not starts:
        return tokens, False
    start = starts[0] if own is None else own
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at][0] == "article") - (tokens[at][0] == "/article")
        if not depth:
            return tokens[start:at], own is not None
    return tokens[start:], own is not None


def _as_written(tokens: list[_Token]) -> Iterator[_Token]:
    """Our own page shows Markdown as what it means, and says beside it what the author wrote: that is read."""
    inside, depth = "", 0
    for tag, text in tokens:
        written = _WRITTEN.search(text) if tag in ("span", "div") and not inside else None
        if inside:
            depth += (tag == inside) - (tag == f"/{inside}")
            inside = inside if depth else ""
        elif written:
            inside, depth = tag, 1
            source = _unescaped(written[1])
            yield from [("pre", ""), ("", f"\n{source}\n"), ("/pre", "")] if tag == "div" else [("", source)]
        else:
            yield tag, text


class _Walker:
    """Makes blocks of tags and texts; all it remembers is which block is open."""

    def __init__(self, *, exact: bool) -> None:
        #: Whether blank lines around code belong to it.
        self.exact = exact
        self.blocks: list[Block] = []
        self.buffer: list[str] = []
        self.lines: list[str] = []
        self.link = ""
        self.heading = 0
        self.label = False
        self.pre = False
        #: An item of a list that has nothing yet.
        self.item = False
        self.cells: list[str] | None = None
        self.before = ""

    def take(self, token: _Token) -> None:
        tag, text = token
        name = tag.removeprefix("/")
        if not tag:
            # HTML doesn't count a line break right after <pre>.
            self.buffer.append(text.removeprefix("\n") if self.before == "pre" else text)
        elif self.pre and tag != "/pre":
            self.buffer.append("\n" if tag == "br" else "")
        elif self.cells is not None and name not in _ROWS:
            self.cell(tag)
        elif name in _BLOCKS:
            self.block(tag)
        elif tag == "br":
            self.line()
        elif tag == "a" and not self.link:
            self.link = _address(text)
        if tag in _APART and self.before in _AFTER_APART and not self.pre:
            self.buffer.append(" ")
        if tag or self.pre or not text.isspace():
            self.before = tag

    def block(self, tag: str) -> None:
        """A tag that ends the block before it."""
        if tag == "/pre":
            self.code()
            return
        name = tag.lstrip("/")
        opens = name == tag
        if self.cells is not None:
            self.row(False)
        self.flush()
        if name in _HEADINGS:
            self.heading = _HEADINGS[name] if opens else 0
        elif name == "tr":
            self.row(opens)
        elif name == "dt":
            self.label = opens
        elif name == "dd":
            self.label = False
        elif name == "li":
            if self.item and not opens:
                self.add(Block("item", ""))
            self.item = opens
        elif tag == "pre":
            self.pre = True

    def cell(self, tag: str) -> None:
        assert self.cells is not None
        if tag in ("td", "th"):
            if self.cells:
                self.cells[-1] = self.cells[-1] or flat("".join(self.buffer))
            self.cells.append("")
            self.buffer.clear()
        elif tag in ("/td", "/th") and self.cells:
            self.cells[-1] = flat("".join(self.buffer))
            self.buffer.clear()
        elif tag.lstrip("/") in _BLOCKS or tag == "br":
            self.buffer.append(" ")

    def row(self, opens: bool) -> None:
        if self.cells:
            rest = flat("".join(self.buffer))
            self.cells[-1] = self.cells[-1] or rest
            self.add(Block("row", " ".join(self.cells), cells=tuple(self.cells)))
        self.buffer.clear()
        self.cells = [] if opens else None

    def code(self) -> None:
        text = "".join(self.buffer)
        self.buffer.clear()
        self.pre = False
        self.add(Block("code", text.removesuffix("\n") if self.exact else text.strip("\n"), raw=text))

    def line(self) -> None:
        """The end of a line inside a block."""
        shown = flat("".join(self.buffer))
        self.buffer.clear()
        if shown:
            self.lines.append(shown)

    def flush(self) -> None:
        """The end of a block of prose."""
        if self.pre:
            self.code()
        if self.cells is not None:
            self.row(False)
        self.line()
        lines, self.lines = self.lines, []
        link, self.link = self.link, ""
        if not lines:
            return
        if self.heading:
            self.add(Block("heading", " ".join(lines), level=self.heading))
        elif self.label:
            self.add(Block("label", " ".join(lines).rstrip(":： ")))
        else:
            self.add(Block("item" if self.item else "text", "\n".join(lines), link=link))

    def add(self, block: Block) -> None:
        self.blocks.append(block)
        self.item = False


def _address(attributes: str) -> str:
    found = re.search(r"""(?:^|\s)href\s{0,9}=\s{0,9}(?:"(https?://[^"]*)"|'(https?://[^']*)')""", attributes)
    return html.unescape(_unescaped(found[1] or found[2])).strip() if found else ""
