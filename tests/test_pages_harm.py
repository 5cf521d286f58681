"""What is no entry page, and pages that mean harm."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from culdesac.db.documents import flatten
from culdesac.ingest.page import PageError, looks_like_page, read_page
from culdesac.plugins.web.entry_page import render
from culdesac.queries.page import markdown
from tests.test_pages import HOSTILE, everywhere

# -- No page, and pages that mean harm ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "hello", '{"ID": "a/b"}', "ID: 5", "# Title\n\ntext", "<html><p>x</p></html>"])
def test_what_is_no_page(text: str) -> None:
    assert not looks_like_page(text)
    with pytest.raises(PageError, match=r"\Ano ID: .*; give the page of one entry\Z"):
        read_page(text)


def test_a_page_without_a_signature() -> None:
    with pytest.raises(PageError, match=r"\Ano signature: expected the error message above the ID 'a/b'\Z"):
        read_page("ID: a/b\n\nDead Ends\n")


_PIECES = st.sampled_from(
    [*HOSTILE, *markdown(everywhere("x")).split("\n"), *render(everywhere("y"), "zh").split("\n"), "\n\n", "\t", "\x00"]
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("\n".join), st.lists(_PIECES).map(" ".join)))
@settings(max_examples=400)
def test_no_text_breaks_the_reader(text: str) -> None:
    looks_like_page(text)
    for page in (
        text,
        f"ID: a/b\n{text}",
        f"Boom\n\nID: a/b\n\n{text}",
        f"<article class=entry>{text}",
        f"## Tags\n{text}",
    ):
        with contextlib.suppress(PageError):
            flatten(read_page(page), "flat")


_MEGABYTE = 1_000_000
_HEAD = "Boom\n\nID: x/y\n\n"
_HARMFUL = {
    "open tags": "<html>" + "<div>" * 200_000,
    "half tags": "<html>" + '<a "' * 250_000,
    "formatting": "<html>" + "".join(f"<b a={n}>" for n in range(60_000)) + "<p>" * 100_000,
    "comments": "<html>" + "<!--" * 250_000,
    "declarations": "<html>" + "<!" * 500_000,
    "items": "<html><ol>" + "<li>" * 250_000,
    "cells": "<html><table><tr>" + "<td>" * 250_000,
    "articles": "<html>" + "<article>" * 110_000,
    "references": "<html>" + "&#" + "9" * _MEGABYTE,
    "ids": "ID:" * 333_333,
    "id lines": "ID: \n" * 200_000,
    "fences": _HEAD + "```\n" * 250_000,
    "longer fences": _HEAD + "Workarounds\n\n85% success " + "a " * 100_000 + "\n" + "```\n" * 200_000,
    "steps": _HEAD + "Workarounds\n\n" + "85% success a\n```\na\n```\n" * 45_000,
    "dead ends": _HEAD + "Dead Ends\n\n" + "a 85% fail\nb\n\n" * 65_000,
    "digits": _HEAD + "Dead Ends\n\n" + "9" * _MEGABYTE + "% fail",
    "rates": _HEAD + "Dead Ends\n\n" + "85% fai " * 125_000,
    "chinese steps": _HEAD
    + "Workarounds\n\n"
    + "85% success a\n```\na\n\nb\n```\n" * 20_000
    + "\n中文步骤\n\n"
    + "a\n\n" * 150_000,
    "stars": "**ID:** `x/y`\n" + "**" * 500_000,
    "labels": "# x\n\n- **ID:** `x/y`\n\n## Environment\n\n### Hardware\n\n" + "- **a:** b\n" * 90_000,
    "path": "# x\n\n- **ID:** `x/y`\n\n### Hardware\n\n- **a" + "[1]" * 300_000 + ":** b\n",
    "backticks": "# x\n\n- **ID:** `x/y`\n\n## Tags\n\n- " + "`a" * 500_000,
    "table": "# x\n\n- **ID:** `x/y`\n\n## Version Compatibility\n\n| Version |\n" + "|" * _MEGABYTE,
    "blanks": _HEAD + " " * _MEGABYTE + "x",
    "blank lines": "\n" * _MEGABYTE + "x",
    "badges": "x " * 500_000 + "\n\n" + _HEAD,
    "badge lines": "x\n" * 500_000 + "\n\n" + _HEAD,
    "json": "[" + " " * _MEGABYTE,
}


@pytest.mark.parametrize("name", _HARMFUL)
def test_a_megabyte_of_harm_is_read_to_its_end(name: str) -> None:
    """About a second each; what grows with the square of the size takes minutes, and is noticed."""
    text = _HARMFUL[name]
    looks_like_page(text)
    refused = ""
    try:
        document = read_page(text)
    except PageError as error:
        refused, document = str(error), {}
    assert bool(document) != bool(refused)
    assert "\n" not in refused
