"""What Datasette's own pages say, in the language of the page: its templates call these (see `marking`)."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlencode

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from culdesac.db.messages import noted, translations
from culdesac.plugins.web.addresses import local
from culdesac.plugins.web.asked_language import SPOKEN
from culdesac.plugins.web.facets import CHILDREN
from culdesac.plugins.web.labels import FACET_TITLES

#: Names of columns that Datasette's facets count by, beside those of our own results.
_COLUMNS = FACET_TITLES | {
    "root_cause_type": noted("Kind of cause"),
    "tag": noted("Tag"),
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
PLURAL = "s"
#: Full-width marks bring their own space.
_OPENING, _CLOSING = "，（：；。", "，：；。）"


def word(text: str) -> str:
    """A text of Datasette in the language of the page, with the blanks around it."""
    lang = SPOKEN.get().lang
    if lang == "en":
        return text
    english = " ".join(text.split())
    if english in ("", PLURAL):
        return ""
    translated = translations(lang).gettext(english)
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    before, after = "" if translated[0] in _OPENING else before, "" if translated[-1] in _CLOSING else after
    return before + translated + after


def compared(display: str) -> str:
    """How a filter compares, in the language of the page; "in" stands between other words elsewhere."""
    if SPOKEN.get().lang == "en":
        return display
    return word(noted("is in the list") if display == "in" else display)


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
    return said if any(name == child.name for child in CHILDREN) else f"{said}（{name}）"


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
    parts += [f"{column(child.name)} = “{value}”" for child in CHILDREN for value in child.chosen(arguments)]
    for name, lookup, value in context["filters"].selections():
        display = next((shown for key, shown, _ in context["filters"].lookups() if key == lookup), None)
        if display is not None:
            bare = lookup in ("isnull", "notnull", "isblank", "notblank")
            parts.append(f"{name} {compared(display)}" + ("" if bare else f" “{value}”"))
    order = context.get("sort") or context.get("sort_desc")
    if order and english.endswith(f"sorted by {order}"):
        parts.append(say(noted("sorted by {column}")).format(column=order))
    elif order and english.endswith(f"sorted by {order} descending"):
        parts.append(say(noted("sorted by {column}, descending")).format(column=order))
    return "，".join(parts)


def root(own: str) -> Markup:
    """The language of the page, as an attribute of its root; Datasette's own on a page that isn't of ours."""
    lang, ours = SPOKEN.get()
    said = ' lang="zh-CN"' if lang == "zh" else ' lang="en"'
    return Markup(said if ours else own)


@pass_context
def switch(context: Context) -> str:
    """A link to the page in the other language."""
    lang, ours = SPOKEN.get()
    request = context.get("request")
    if not ours or request is None:
        return ""
    pairs = [pair for pair in parse_qsl(request.query_string, keep_blank_values=True) if pair[0] != "_lang"]
    other, name, code = ("en", "English", "en") if lang == "zh" else ("zh", "中文", "zh-CN")
    path = context["urls"].path(local(context["base_url"], request.path))
    address = f"{path}?{urlencode([*pairs, ('_lang', other)])}"
    return Markup('<a id="page-language" href="{}" lang="{}">{}</a>').format(address, code, name)
