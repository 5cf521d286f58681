"""Datasette's own templates, marked for translation: a Jinja extension.

Datasette's templates have no translation. Copies of them would grow old with each of its releases, so the originals are
marked as they are compiled: a text between tags, or a button's label, becomes a call that looks it up in our catalogue
(`make messages` gathers them from the version that is installed, as it does click's). What the catalogue doesn't have
stays English. Only Datasette's own files are marked, never a site's templates, and never what a page shows of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import datasette
from jinja2 import Environment
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from culdesac.plugins.web import stock_words

TEMPLATES = Path(datasette.__file__).parent / "templates"
#: The templates of pages that readers see; the others are for those who run the site.
MARKED = (
    "_crumbs.html", "_description_source_license.html", "_facet_results.html", "_footer.html", "_suggested_facets.html",
    "_table.html", "base.html", "database.html", "error.html", "index.html", "query.html", "row.html",
    "table.html",
)  # fmt: skip
_NAMES = {*MARKED, *(f"default:{name}" for name in MARKED)}
#: What Datasette says from Python, by the expression that shows it.
_EXPRESSIONS = {
    "display": "culdesac_compared",
    "item.label": "culdesac_said",
    "show_hide_text": "culdesac_said",
    "title": "culdesac_said",
    "error": "culdesac_said",
    "human_description_en": "culdesac_described",
    "facet_info.name": "culdesac_column",
}
_WORDS = re.compile(r"[A-Za-z]")
#: Where a page says its language (Datasette 1.0 does), and where its head ends.
_PLACES = re.compile(r'(<html(?: lang="en")?>|</nav>)')
_CUT = re.compile(r"(<|>|&#?\w+;)")
_LABEL = re.compile(r'(?<=(?:title|value)=")([^"]*[A-Za-z][^"]*)(?=")')
_QUIET = re.compile(r"(?:script|style|textarea)\b")


def prepare(environment: Environment) -> None:
    """Mark Datasette's templates of an environment."""
    environment.add_extension(Marking)
    environment.globals.update(
        culdesac_word=stock_words.word, culdesac_compared=stock_words.compared, culdesac_said=stock_words.said,
        culdesac_column=stock_words.column,
        culdesac_described=stock_words.described, culdesac_root=stock_words.root, culdesac_switch=stock_words.switch,
    )  # fmt: skip


class Marking(Extension):
    """Puts a call around every text of Datasette's templates."""

    def filter_stream(self, stream: TokenStream) -> TokenStream | Iterable[Token]:
        """The tokens of a template, marked when it is one of Datasette's."""
        if stream.filename is None or Path(stream.filename).parent != TEMPLATES or stream.name not in _NAMES:
            return stream
        return _marked(stream)


def _marked(stream: Iterable[Token]) -> Iterator[Token]:
    cutter = Cutter()
    before, block = "", [""]
    tokens = iter(stream)
    for token in tokens:
        if token.type == "data" and block[-1] != "body_class":
            before = token.value
            for part in _PLACES.split(before):
                if _PLACES.fullmatch(part):
                    yield from _place(token.lineno, part)
                else:
                    yield from _words(token.lineno, cutter.cut(part))
        elif token.type == "variable_begin":
            yield from _expression(token, tokens, before)
        elif token.type == "block_begin":
            statement = _until(token, tokens, "block_end")
            if statement[1].value == "block":
                block.append(statement[2].value)
            elif statement[1].value == "endblock":
                block.pop()
            yield from statement
        else:
            yield token


def _place(line: int, tag: str) -> Iterator[Token]:
    """The root with the language of the page, or the end of the head's line with the way to the other one."""
    if tag == "</nav>":
        yield from [*_call(line, "culdesac_switch"), Token(line, "data", tag)]
    else:
        own = tag.removeprefix("<html").removesuffix(">")
        yield from [Token(line, "data", "<html"), *_call(line, "culdesac_root", own), Token(line, "data", ">")]


def _words(line: int, pieces: Iterable[tuple[str, bool]]) -> Iterator[Token]:
    for text, is_words in pieces:
        yield from _call(line, "culdesac_word", text) if is_words else [Token(line, "data", text)]


def _until(first: Token, tokens: Iterator[Token], end: str) -> list[Token]:
    found = [first]
    while found[-1].type != end:
        found.append(next(tokens))
    return found


def _expression(first: Token, tokens: Iterator[Token], before: str) -> Iterator[Token]:
    """An expression as it is, or inside a call when it shows what Datasette says."""
    found = _until(first, tokens, "variable_end")
    name = _EXPRESSIONS.get("".join(str(token.value) for token in found[1:-1]))
    if name is None or (name == "culdesac_column" and not before.endswith("<strong>")):
        yield from found
        return
    line = first.lineno
    yield from [found[0], Token(line, "name", name), Token(line, "lparen", "(")]
    yield from [*found[1:-1], Token(line, "rparen", ")"), found[-1]]


def _call(line: int, name: str, text: str | None = None) -> Iterator[Token]:
    yield Token(line, "variable_begin", "{{")
    yield Token(line, "name", name)
    yield Token(line, "lparen", "(")
    if text is not None:
        yield Token(line, "string", text)
    yield Token(line, "rparen", ")")
    yield Token(line, "variable_end", "}}")


class Cutter:
    """Cuts the HTML of a template, piece after piece, into what a reader reads and what a browser does."""

    def __init__(self) -> None:
        self._tag = self._quiet = False

    def cut(self, data: str) -> Iterator[tuple[str, bool]]:
        """The pieces in order, each with whether it is words; together they are the data."""
        before = ""
        for part in _CUT.split(data):
            if part in ("<", ">"):
                self._tag = part == "<"
                yield part, False
            elif self._tag:
                if before == "<":
                    self._quiet = _QUIET.match(part) is not None
                for at, piece in enumerate(_LABEL.split(part)):
                    yield piece, at % 2 == 1
            else:
                yield part, not self._quiet and not part.startswith("&") and _WORDS.search(part) is not None
            before = part


def messages() -> Iterator[tuple[str, str]]:
    """Everything that Datasette's pages say, with the file that does: for the catalogue."""
    environment = Environment()
    for name in MARKED:
        source = (TEMPLATES / name).read_text(encoding="utf-8")
        tokens = list(_marked(environment._tokenize(source, name)))
        for at, token in enumerate(tokens):
            if token.value == "culdesac_word" and tokens[at + 2].type == "string":
                text = " ".join(tokens[at + 2].value.split())
                if text != stock_words.PLURAL:
                    yield text, name
    from datasette.filters import Filters

    for _, display, _ in Filters([]).lookups():
        if _WORDS.search(display):
            yield display, "filters.py"
