"""The documentation in two languages: each page has its pair, and a pair says the same."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.needs import ROOT

PAGES = [ROOT / "README.md", *sorted(path for path in (ROOT / "docs").glob("*.md") if ".zh." not in path.name)]
_FENCE = re.compile(r"^```(\w+)\n.*?^```$", re.M | re.S)


def pair(page: Path) -> tuple[str, str]:
    """A page in English and in Chinese, without what cog runs."""
    texts = (path.read_text(encoding="utf-8") for path in (page, page.with_suffix(".zh.md")))
    english, chinese = (re.sub(r"<!--.*?-->", "", text, flags=re.S) for text in texts)
    return english, chinese


def prose(text: str) -> str:
    return _FENCE.sub("", text)


def shapes(text: str) -> list[tuple[int, int]]:
    """The rows and columns of each table."""
    tables = [found[0].splitlines() for found in re.finditer(r"(?:^\|.*\n)+", prose(text), re.M)]
    return [(len(rows), len(re.findall(r"(?<!\\)\|", rows[0]))) for rows in tables]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_its_pair_and_leads_to_it(page: Path) -> None:
    for own, other in ((page, page.with_suffix(".zh.md")), (page.with_suffix(".zh.md"), page)):
        top = "\n".join(own.read_text(encoding="utf-8").splitlines()[:8])
        assert f"]({other.name})" in top, own.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_pair_has_the_same_sections_tables_and_examples(page: Path) -> None:
    english, chinese = pair(page)
    levels = [re.findall(r"^#+", prose(text), re.M) for text in (english, chinese)]
    assert levels[0] == levels[1]
    assert shapes(english) == shapes(chinese)
    kinds = [Counter(_FENCE.findall(text)) for text in (english, chinese)]
    assert kinds[0] == kinds[1]
    indented = [re.findall(r"^    \S.*$", prose(text), re.M) for text in (english, chinese)]
    assert indented[0] == indented[1]


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_a_pair_shows_the_same_sql(page: Path) -> None:
    sql = [[found[0] for found in _FENCE.finditer(text) if "sqlite3 " in found[0]] for text in pair(page)]
    assert sql[0] == sql[1]


# docs/checks.md is made from the constants themselves, in both languages (tests/test_checks_shown.py).
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "checks.md"], ids=lambda page: page.name)
def test_a_pair_has_the_same_figures(page: Path) -> None:
    """Also those that stand in a sentence, which no cog prints."""
    figures = [set(re.findall(r"\.?\d[\d,.]*(?<![.,])", re.sub(r"\bzh\b", "", prose(text)))) for text in pair(page)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chinese_page_leads_to_chinese_pages(page: Path) -> None:
    chinese = page.with_suffix(".zh.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([\w./]+\.md)(?:#[^)]*)?\)", chinese)
    translated = {other.name for other in PAGES} - {page.name}
    assert [link for link in links if Path(link).name in translated] == []


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, *(page.with_suffix(".zh.md") for page in PAGES)]:
        text = page.read_text(encoding="utf-8")
        for link, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", prose(text)):
            target = page.parent / link if link else page
            assert target.exists(), f"{page.name}: {link}"
            if anchor:
                headings = re.findall(r"^#+ (.+)$", prose(target.read_text(encoding="utf-8")), re.M)
                slugs = {re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in headings}
                assert anchor in slugs, f"{page.name}: {link}#{anchor}"
