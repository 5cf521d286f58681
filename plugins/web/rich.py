"""Markdown in strangers' texts: code as code, lists as lists, links as links, and nothing else of it.

Most texts of entries aren't Markdown: commands, configuration, globs (`*.py`), names (`__init__`), comments
(`# then`), placeholders (`<name>`). So a text is taken for Markdown only where it shows that it is, few constructs are
read, and a text of which a word would be lost is left as it is. markdown-it-py reads it without raw HTML, nh3 cleans
what comes out once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

#: What our Markdown can become; a test compares it with what comes out of any text.
TAGS = {"a", "br", "code", "li", "ol", "p", "pre", "strong", "ul"}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https"}
_REL = "nofollow noopener"
#: A longer text is shown as it is: nobody formats a page of this length, and pages stay fast.
LONGEST = 20_000

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_NUMBERED = re.compile(r"^([0-9]{1,3})[.)] +\S", re.MULTILINE)
_BULLET = re.compile(r"^[-*] +(.+)", re.MULTILINE)
#: What stands after the dash of a list in YAML.
_YAML = re.compile(r"[\w./-]+:(?:\s|$)|[\"'{\[]")
_SPAN = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
# Not `src/**/*.ts`, `2**8` or `f(**options)`: words, with nothing but blanks or punctuation of prose around.
_STRONG = re.compile(r"\*\*(?=\w)([^*\n]{1,200})(?<=[\w.:!?)])\*\*(?![\w/*])")
_WORD = re.compile(r"\w+")
# A word of prose, with what stands around it in a sentence, and what prose begins with.
_PROSE_WORD = re.compile(
    r"[(\"'“]?(?:[A-Za-z][a-z]*(?:['’/-][A-Za-z]+)*|[A-Z]{2,8}s?|[0-9]+%?)[)\"'”]?[,.;:!?]?[)\"']?"
)
_PROSE_START = re.compile(r"(?:[A-Z][a-z]*(?:['’-][a-z]+)*[,:]?|[(\"'“]?[0-9]+[.)])\s")
_HAN = re.compile("[\u3400-\u9fff]")
_PROSE_SHARE, _LEAST_WORDS = 0.7, 4


def line(text: str, *, links: bool = True) -> Markup:
    """A text in one line: what stands in backticks as code and, unless told otherwise, http(s) links as links."""
    if "`" not in text and not (links and "](" in text):
        return escape(text)
    return _line(text, links)


@lru_cache(maxsize=4096)
def _line(text: str, links: bool) -> Markup:
    if len(text) > LONGEST:
        return escape(text)
    parser = _parser("links" if links else "code")
    tokens = parser.parseInline(text)
    if not _keeps_words(text, tokens):
        return escape(text)
    return _clean(parser.renderer.render(tokens, parser.options, {}))


@lru_cache(maxsize=1024)
def block(text: str) -> Markup | None:
    """A text of any length: paragraphs, lists and code; None where it is no Markdown and no sentence, but code."""
    if len(text) > LONGEST:
        return None
    if "\n" not in text.strip("\n"):
        return Markup("<p>{}</p>").format(_line(text, True)) if reads_as_prose(text) else None
    kind = _kind(text)
    if kind is None:
        return None
    parser = _parser(kind)
    tokens = parser.parse(text)
    if not _keeps_words(text, tokens) or not _keeps_shape(text, tokens):
        return None
    return _clean(parser.renderer.render(tokens, parser.options, {}))


def reads_as_prose(text: str) -> bool:
    """Whether a line is a sentence, possibly about code in backticks or quotes, rather than code."""
    spans = _SPAN.findall(text)
    rest = _SPAN.sub(" ", text).strip()
    if "`" in rest:
        return False
    if spans and not _WORD.search(rest):
        return True
    if _HAN.search(rest):
        return True
    if not _PROSE_START.match(rest + " ") and not text.startswith("`"):
        return False
    words = [word for word in rest.split() if _WORD.search(word)]
    plain = sum(1 for word in words if _PROSE_WORD.fullmatch(word))
    return plain >= _PROSE_SHARE * len(words) and (bool(spans) or len(words) >= _LEAST_WORDS)


def _kind(text: str) -> str | None:
    """How a text of several lines is to be read; None when it doesn't show that it is Markdown."""
    if len(_FENCE.findall(text)) >= 2:
        return "fences"
    numbers = [int(number) for number in _NUMBERED.findall(text)]
    if len(numbers) >= 2 and numbers == list(range(1, len(numbers) + 1)):
        return "lists"
    items = _BULLET.findall(text)
    if len(items) >= 2 and not any(_YAML.match(item) for item in items):
        return "lists"
    lines = [one for one in text.split("\n") if one.strip()]
    return "lists" if all(one[0] not in " \t" and reads_as_prose(one) for one in lines) else None


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Only the web; the library also takes addresses without a scheme, which would be of this site."""
        return url.lower().startswith(("https://", "http://"))


@cache
def _parser(kind: str) -> MarkdownIt:
    """A parser: of `code` in a line, of `links` too; of texts with `lists`, or with `fences` and so with headings."""
    parser = _Parser("zero", {"breaks": True})
    parser.enable("backticks")
    if kind == "code":
        return parser
    parser.enable("link")
    if kind == "links":
        return parser
    parser.enable(["list", "fence", "newline"])
    parser.inline.ruler.push("strong", _strong)
    if kind == "fences":
        parser.enable("heading")
        parser.add_render_rule("heading_open", lambda *_: "<p><strong>")
        parser.add_render_rule("heading_close", lambda *_: "</strong></p>\n")
    return parser


def _strong(state: StateInline, silent: bool) -> bool:
    """`**words**`. The library's own rule also takes globs and powers for emphasis."""
    if state.src[state.pos] != "*":
        return False
    before = state.src[state.pos - 1] if state.pos else " "
    found = _STRONG.match(state.src, state.pos, state.posMax)
    if found is None or before.isalnum() or before in "*/_":
        return False
    if not silent:
        state.push("strong_open", "strong", 1)
        state.push("text", "", 0).content = found[1]
        state.push("strong_close", "strong", -1)
    state.pos = found.end()
    return True


def _keeps_words(text: str, tokens: Sequence[Token]) -> bool:
    """Whether every word of a text is shown, or is the address of a link or the language of a fence."""
    return _WORD.findall(text) == _WORD.findall(" ".join(_texts(tokens)))


def _texts(tokens: Sequence[Token]) -> Iterator[str]:
    addresses: list[str] = []
    numbers: list[int] = []
    for token in tokens:
        match token.type:
            case "ordered_list_open":
                numbers.append(int(token.attrs.get("start", 1)))
            case "ordered_list_close":
                numbers.pop()
            case "list_item_open" if token.info:
                # What the browser counts. It must be what the author wrote.
                yield str(numbers[-1])
                numbers[-1] += 1
            case "inline":
                yield "".join(_texts(token.children or ()))
            case "fence":
                yield f"{token.info} {token.content}"
            case "link_open":
                addresses.append(str(token.attrs["href"]))
            case "link_close":
                yield f" {addresses.pop()} "
            case "softbreak" | "hardbreak":
                yield "\n"
            case _:
                yield token.content


def _keeps_shape(text: str, tokens: Sequence[Token]) -> bool:
    """Whether no paragraph has lines that are indented differently: that is code, and a paragraph would lose it."""
    lines = re.sub("\r\n?", "\n", text).split("\n")
    for token in tokens:
        if token.type == "inline" and token.map:
            rest = lines[token.map[0] + 1 : token.map[1]]
            if len({len(one) - len(one.lstrip()) for one in rest if one.strip()}) > 1:
                return False
    return True


def _clean(html: str) -> Markup:
    cleaned = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=_REL)
    return Markup(cleaned)  # cleaned: nothing but TAGS and ATTRIBUTES is left
