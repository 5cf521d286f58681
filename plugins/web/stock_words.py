"""Datasette's own words in the language of the page: a Jinja extension that marks them for the catalogue.

Datasette's templates have no translation. Copies of them would grow old with each of its releases, so the originals are
marked as they are compiled: a text between tags, or a button's label, becomes a call that looks it up in our catalogue
(`make messages` gathers them from the version that is installed, as it does click's). What the catalogue doesn't have
stays English. Only Datasette's own files are marked, never a site's templates, and never what a page shows of a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import datasette as stock
from jinja2 import Environment, pass_context
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context
from markupsafe import Markup

from culdesac.db.messages import noted, translations
from culdesac.plugins.web.asked_language import SPOKEN
from culdesac.plugins.web.facets import PACKAGE
from culdesac.plugins.web.labels import FACET_TITLES

TEMPLATES = Path(stock.__file__).parent / "templates"
#: The templates of pages that readers see; the others are for those who run the site.
MARKED = (
    "_crumbs.html", "_description_source_license.html", "_facet_results.html", "_footer.html", "_suggested_facets.html",
    "_table.html", "base.html", "database.html", "error.html", "index.html", "query.html", "row.html",
    "table.html",
)  # fmt: skip
_NAMES = {*MARKED, *(f"default:{name}" for name in MARKED)}
#: What Datasette says from Python, by the expression that shows it.
_EXPRESSIONS = {
    "display": "culdesac_word",
    "item.label": "culdesac_said",
    "show_hide_text": "culdesac_said",
    "title": "culdesac_said",
    "error": "culdesac_said",
    "human_description_en": "culdesac_described",
    "facet_info.name": "culdesac_column",
}
#: Names of columns that Datasette's facets count by, beside those of our own results.
_COLUMNS = FACET_TITLES | {
    "root_cause_type": noted("Kind of cause"),
    "kind": noted("Kind"),
    "status": noted("Status"),
    "scope": noted("Scope"),
    "key": noted("Property"),
    "value": noted("Value"),
    "severity": noted("Severity"),
    "code": noted("Code"),
    "field": noted("Field"),
}
#: Said by Datasette's Python where names and strangers' texts stand, too.
_SAID = (
    noted("home"), noted("show"), noted("hide"), noted("Invalid SQL"), noted("SQL Interrupted"),
    noted("Database not found"), noted("Table not found"),
)  # fmt: skip
#: What the menu of a column's head says, by the class of its line: a script of Datasette's writes it.
_MENU = {
    "dropdown-sort-asc": noted("Sort ascending"),
    "dropdown-sort-desc": noted("Sort descending"),
    "dropdown-facet": noted("Facet by this"),
    "dropdown-hide-column": noted("Hide this column"),
    "dropdown-show-all-columns": noted("Show all columns"),
    "dropdown-not-blank": noted("Show not-blank rows"),
}
# Scripts that are deferred, Datasette's among them, have run when this hears of it.
_TRANSLATE = """
document.addEventListener("DOMContentLoaded", () => {
  for (const [line, said] of Object.entries(%s)) {
    document.querySelectorAll(`.dropdown-menu .${line}`).forEach((link) => { link.textContent = said; });
  }
});
"""
#: English's plural, which it adds to a word; Chinese has none.
_PLURAL = "s"
_WORDS = re.compile(r"[A-Za-z]")
#: Where a page says its language (Datasette 1.0 does), and where its head ends.
_PLACES = re.compile(r'(<html(?: lang="en")?>|</nav>)')
_CUT = re.compile(r"(<|>|&#?\w+;)")
_LABEL = re.compile(r'(?<=(?:title|value)=")([^"]*[A-Za-z][^"]*)(?=")')
_QUIET = re.compile(r"(?:script|style|textarea)\b")
#: Full-width marks bring their own space.
_OPENING, _CLOSING = "，（：；。", "，：；。）"


def prepare(environment: Environment) -> None:
    """Mark Datasette's templates of an environment."""
    environment.add_extension(Marking)
    environment.globals.update(
        culdesac_word=word, culdesac_said=said, culdesac_column=column, culdesac_described=described,
        culdesac_html=_html, culdesac_switch=_switch,
    )  # fmt: skip


def word(text: str) -> str:
    """A text of Datasette in the language of the page, with the blanks around it."""
    lang = SPOKEN.get().lang
    if lang == "en":
        return text
    english = " ".join(text.split())
    if english in ("", _PLURAL):
        return ""
    translated = translations(lang).gettext(english)
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    before, after = "" if translated[0] in _OPENING else before, "" if translated[-1] in _CLOSING else after
    return before + translated + after


def said(text: str) -> str:
    """A text that may be one of Datasette's words, or a name."""
    return word(text) if text in _SAID else text


def script() -> str | None:
    """A script for the end of a table's page that says its menu in the language of the page; none for English."""
    lang = SPOKEN.get().lang
    if lang == "en":
        return None
    return _TRANSLATE % json.dumps({line: translations(lang).gettext(text) for line, text in _MENU.items()})


def column(name: str) -> str:
    """What a facet counts by: the column's name, in Chinese after what it is."""
    lang = SPOKEN.get().lang
    title = _COLUMNS.get(name)
    if lang == "en" or title is None:
        return name
    said = translations(lang).gettext(title)
    return said if name in PACKAGE.values() else f"{said}（{name}）"


@pass_context
def described(context: Context, english: str) -> str:
    """What a table's page shows of the table. Datasette puts it together in English: here from the same parts."""
    lang = SPOKEN.get().lang
    if lang == "en" or not english:
        return english
    say = translations(lang).gettext
    arguments = context["request"].args
    parts = []
    if context.get("search"):
        parts.append(say(noted('search matches "{text}"')).format(text=context["search"]))
    columns = [key for key in arguments if key.startswith("_search_")]
    parts += [f"{key.removeprefix('_search_')} {say('contains')} “{arguments[key]}”" for key in columns]
    parts += [f"{column('package')} = “{package}”" for package in sorted(set(arguments.getlist("_package")))]
    for name, lookup, value in context["filters"].selections():
        display = next((shown for key, shown, _ in context["filters"].lookups() if key == lookup), None)
        if display is not None:
            bare = lookup in ("isnull", "notnull", "isblank", "notblank")
            parts.append(f"{name} {say(display)}" + ("" if bare else f" “{value}”"))
    order = context.get("sort") or context.get("sort_desc")
    if order and english.endswith(f"sorted by {order}"):
        parts.append(say(noted("sorted by {column}")).format(column=order))
    elif order and english.endswith(f"sorted by {order} descending"):
        parts.append(say(noted("sorted by {column}, descending")).format(column=order))
    return "，".join(parts)


def _html(own: str) -> Markup:
    """The language of the page, as an attribute of its root; Datasette's own on a page that isn't of ours."""
    lang, ours = SPOKEN.get()
    said = ' lang="zh-CN"' if lang == "zh" else ' lang="en"'
    return Markup(said if ours else own)


@pass_context
def _switch(context: Context) -> str:
    """A link to the page in the other language."""
    lang, ours = SPOKEN.get()
    request = context.get("request")
    if not ours or request is None:
        return ""
    pairs = [pair for pair in parse_qsl(request.query_string, keep_blank_values=True) if pair[0] != "_lang"]
    other, name, code = ("en", "English", "en") if lang == "zh" else ("zh", "中文", "zh-CN")
    address = f"{request.path}?{urlencode([*pairs, ('_lang', other)])}"
    return Markup('<a id="page-language" href="{}" lang="{}">{}</a>').format(address, code, name)


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
        yield from [Token(line, "data", "<html"), *_call(line, "culdesac_html", own), Token(line, "data", ">")]


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
                if text != _PLURAL:
                    yield text, name
    from datasette.filters import Filters

    for _, display, _ in Filters([]).lookups():
        if _WORDS.search(display):
            yield display, "filters.py"
