"""Entry pages as markup: hostile texts make no heading, element or link of their own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from culdesac.db.text import has_chinese
from culdesac.ingest.page import read_page
from culdesac.plugins.web.entry_page import render
from culdesac.queries.page import markdown
from tests.corpora import sample
from tests.test_pages import HOSTILE, TEXT, WRITERS, everywhere, filled, pruned

# -- What a browser or a renderer makes of them ------------------------------------------------------------------------


def _shape(page: str) -> list[str]:
    """The headings of a rendered page; no HTML, and links to http(s) only."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").parse(page)
    headings: list[str] = []
    for token in tokens:
        assert token.type != "html_block", token.content
        headings.extend([token.tag] if token.type == "heading_open" else [])
        for child in token.children or ():
            assert child.type not in ("html_inline", "image", "em_open", "s_open"), token.content
            if child.type == "link_open":
                assert str(child.attrs["href"]).startswith(("http://", "https://"))
    return headings


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_of_hostile_text_has_only_our_headings(text: str) -> None:
    for lang in ("en", "zh"):
        page = markdown(everywhere(text), lang=lang)  # type: ignore[arg-type]
        headings = _shape(page)
        assert headings.count("h1") == 1
        # A Chinese page says it where there is no Chinese.
        assert headings.count("h2") == 12 + (lang == "zh" and not has_chinese(text))
        assert len(headings) == len([line for line in _unfenced(page) if line.startswith("#")])


def _unfenced(page: str) -> list[str]:
    lines: list[str] = []
    fence = ""
    for line in page.split("\n"):
        marks = re.match(r" *(?:[-0-9.]+ )?(`{3,})(text)?$", line)
        if marks and not fence and marks[2]:
            fence = marks[1]
        elif marks and fence == marks[1] and not marks[2]:
            fence = ""
        elif not fence:
            lines.append(line)
    return lines


@given(TEXT)
@settings(max_examples=150)
def test_markdown_of_any_text_has_no_markup_of_its_own(text: str) -> None:
    assert _shape(markdown(filled(root_cause=text, tags=[text], aliases=["x"]))).count("h1") == 1


_ELEMENTS = frozenset((
    "a", "aside", "br", "code", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "header", "li", "ol", "p", "pre",
    "section", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
))  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_html_of_hostile_text_has_only_our_elements(text: str) -> None:
    page = render(everywhere(text)) + render(everywhere(text), "zh")
    tree = LexborHTMLParser(f"<!doctype html><body><main>{page}</main></body>")
    names = {node.tag for node in tree.css("article *")}
    assert names <= _ELEMENTS
    assert [node.tag for node in tree.css("body > *, main > *")] == ["main", "article", "article"]
    for link in tree.css("a"):
        assert re.match("https?://", link.attributes["href"] or "")
        assert link.attributes["rel"] == "nofollow noopener"
    attributes = {name for node in tree.css("article, article *") for name in node.attributes}
    assert attributes <= {"class", "data-text", "hidden", "lang", "scope", "start", "href", "rel"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_only_the_article_of_a_document_is_read(lang: Any) -> None:
    document = sample()[3]
    chrome = "<h1>Site</h1><p>ID: other/entry</p><h2>Tags</h2><ul><li>no</li></ul><article>A card</article>"
    body = f"<body>{chrome}{render(document, lang)}{chrome}</body>"
    page = f"<!doctype html><html><head><title>x</title></head>{body}</html>"
    assert pruned(read_page(page)) == pruned(document)


def test_line_ends_of_windows_read_back() -> None:
    document = sample()[3]
    for write in WRITERS.values():
        assert pruned(read_page("\ufeff" + write(document).replace("\n", "\r\n"))) == pruned(document)
