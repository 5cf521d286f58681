"""Datasette's own pages of our files in Chinese: asked for by `_lang=zh`, everything of them but the data."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from culdesac.plugins.web.columns import TABLES
from culdesac.plugins.web.marking import MARKED, TEMPLATES, Cutter, Marking
from tests.conftest import ingest
from tests.sites import Site

#: Values that are words of Datasette's pages, too.
AWKWARD = {
    "id": "home/a",
    "signature": "Custom SQL query",
    "domain": "Queries",
    "category": "Tables",
    "error_code": 'href="/errors"',
    "root_cause": '<a href="/errors">',
    "resolvable": "true",
    "workarounds": [{"action": "Next page", "how": "Apply", "success_rate": 0.5}],
}
#: What a busy machine has time for changes pages, not what they say.
UNHURRIED = {"suggest_facets": False, "facet_time_limit_ms": 20_000, "sql_time_limit_ms": 30_000}
#: How long a query took, and what a search's column `match` holds.
NOISE = r'[\d.]+ms|<td class="col-match[^"]*">\d+'
PAGES = (
    "/errors?{}",
    "/errors?sql=select+1&{}",
    "/errors/entries?_search=query&domain__contains=ue&_sort_desc=pk&{}",
    "/errors/search?_search=query&{}",
    "/errors/workarounds?action__isnull=1&{}",
    "/errors/entries/1?{}",
    "/errors/search_zh?q=query&{}",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stock")
    (folder / "entries.json").write_text(json.dumps(AWKWARD), encoding="utf-8")
    ingest(folder / "errors.db", folder / "entries.json")
    return folder / "errors.db"


@pytest.fixture(scope="module")
def web(made: Path) -> Iterator[Site]:
    site = Site(made, settings=UNHURRIED)
    yield site
    site.close()


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A database that isn't ours, with a column that has the name of our parameter elsewhere."""
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.executescript(
            "create table notes (id integer primary key, lang); insert into notes values (1, 'zh')"
        )
    return tmp_path / "other.db"


def tree(site: Site, path: str) -> HTMLParser:
    return HTMLParser(site.get(path).text)


def words(page: HTMLParser) -> set[str]:
    """What a page says, but for the data, the names of columns and SQL."""
    assert page.body
    quiet = ("td", "th", "dt", "pre", "textarea", "script", "style", "option", ".db-table em")
    for node in page.body.css(", ".join(quiet)):
        node.decompose()
    said = {node.text(deep=False).strip() for node in page.body.traverse()}
    return said | {button.attributes["value"] or "" for button in page.css("input[type=submit]")}


@pytest.mark.parametrize("page", PAGES)
def test_a_chinese_page_says_nothing_in_english(web: Site, page: str) -> None:
    english, chinese = (tree(web, page.format(f"_lang={lang}")) for lang in ("en", "zh"))
    titles = [
        (found.css_first("html").attributes.get("lang"), found.css_first("title").text())
        for found in (english, chinese)
    ]
    assert [lang for lang, _ in titles] == ["en", "zh-CN"]
    left = {text for text in words(english) & words(chinese) if re.search("[A-Za-z]{2}", text)}
    # Names of files, databases, tables, parameters, and of JSON's shapes.
    data = {"errors", "entries.json", "entries: 1", "json", "CSV", "Datasette", "array", "object", "limit", "errors.db"}
    assert left <= data | set(TABLES) | {*map(str, AWKWARD.values())}, left
    assert "基于 Datasette" in " ".join(chinese.text().split())


def test_what_a_page_shows_of_a_file_stays_as_it_is(web: Site) -> None:
    page = tree(web, "/errors/entries?_lang=zh")
    cells = {cell.text() for cell in page.css("td")}
    assert {"Queries", "Tables", "Custom SQL query", 'href="/errors"', '<a href="/errors">'} <= cells
    facets = {node.text(strip=True) for node in page.css(".facet-info li a")}
    assert {"Queries", "Tables"} <= facets
    assert "领域（domain）" in page.css_first(".facet-results").text()


def test_a_rows_links_and_the_filters_read_as_sentences(web: Site) -> None:
    links = [re.sub(r"\s+", " ", node.text()).strip() for node in tree(web, "/errors/entries/1?_lang=zh").css("li")]
    assert "1 行，列 entry，表 workarounds" in links
    names = {node.attributes.get("value"): node.text() for node in tree(web, "/errors/entries?_lang=zh").css("option")}
    assert (names["in"], names["notin"]) == ("在列表中", "不在列表中")
    page = tree(web, "/errors/entries?domain__in=Queries,x&_lang=zh")
    assert "domain 在列表中 “Queries,x”" in page.css_first("h3").text()
    names = {node.attributes.get("value"): node.text() for node in tree(web, "/errors/entries").css("option")}
    assert names["in"] == "in"


def test_titles_and_descriptions_are_in_chinese(web: Site) -> None:
    page = tree(web, "/errors/entries?_lang=zh")
    assert page.css_first("h1").text(strip=True) == "条目"
    assert page.css_first(".column-descriptions").text().count("作者自述") == 2
    assert page.css_first("th.col-regex").attributes["data-column-description"].startswith("在日志里")  # type: ignore[union-attr]
    found = {link.text() for link in tree(web, "/errors?_lang=zh").css("#queries + ul a")}
    assert "中文搜索（不用分词）" in found
    assert not {text for text in found if text.isascii()}
    said = tree(web, "/errors/entries?_lang=zh&_search=query&domain__contains=ue&os__isnull=1&_sort_desc=pk").text()
    assert "搜索“query”，domain 包含 “ue”，os 为 null，按 pk 降序" in said


@pytest.mark.parametrize(
    "path",
    ["/errors.json?", "/errors/entries.json?_search=query&_facet=domain&", "/errors/entries/1.json?",
     "/errors/search_zh.json?q=query&", "/errors/search.json?_search=query&_nocol=match&",
     "/errors.json?sql=select+1&"],
)  # fmt: skip
def test_json_is_the_same_in_every_language(web: Site, path: str) -> None:
    english, chinese = web.get(path).text, web.get(f"{path}_lang=zh").text
    without = [
        re.sub(r'"(?:query_)?ms": [\d.]+|[?&](?:amp;)?_lang=zh|"_lang": "zh"(?:, )?', "", text)
        for text in (english, chinese)
    ]
    assert without[0] == without[1]
    assert web.get(path).status_code == 200


def test_lang_means_the_same_where_no_column_can_have_that_name(web: Site) -> None:
    for path in ("/errors", "/errors/entries", "/errors/entries/1", "/errors/search", "/errors/search_zh"):
        assert '<html lang="zh-CN">' in web.get(f"{path}?lang=zh").text, path
        assert '<html lang="en">' in web.get(f"{path}?lang=en").text, path
    shown = tree(web, "/errors?sql=select+:lang+as+x&lang=zh").css_first("td").text()
    assert shown == "zh"


def inner(page: HTMLParser) -> dict[str, dict[str, list[str]]]:
    """The links of a page to pages of the same site, each with its arguments."""
    links = {link.attributes["href"] or "" for link in page.css("a[href]")}
    parts = [urlsplit(link) for link in links if not link.startswith(("#", "https://datasette.io"))]
    return {one.path: parse_qs(one.query) for one in parts if not re.search(r"\.(json|csv|db)$", one.path)}


@pytest.mark.parametrize("base", ["/", "/known/"])
def test_every_link_and_form_keeps_the_language(made: Path, foreign: Path, base: str) -> None:
    site = Site(made, foreign, settings={"base_url": base})
    try:
        for page in (
            "?lang=zh",
            "search?q=query&lang=zh",
            "overview?lang=zh",
            "entry/home/a?lang=zh",
            *(page.removeprefix("/").format("_lang=zh") for page in PAGES[:-1]),
        ):
            found = tree(site, f"/{page}")
            english = [link for link in found.css("a") if link.text() == "English"]
            assert english
            for link in english:
                assert "lang=zh" not in (link.attributes["href"] or ""), page
                link.decompose()
            for path, arguments in inner(found).items():
                ours = not path.startswith(f"{base}other")
                said = "lang" if re.match(f"{base}(search|overview|entry/|$)", path) else "_lang"
                assert arguments.get(said) == (["zh"] if ours else None), (page, path)
            for form in found.css("form[action]"):
                if not (form.attributes["action"] or "").partition("?")[0].endswith(".csv"):
                    assert form.css_first('input[name$="lang"]').attributes["value"] == "zh", (page, form.html)
    finally:
        site.close()


def test_the_other_language_is_one_link_away(web: Site) -> None:
    link = tree(web, "/errors/entries?domain=Queries&_lang=zh").css_first("#page-language")
    assert link.text() == "English"
    back = tree(web, link.attributes["href"] or "").css_first("#page-language")
    assert (back.text(), back.attributes["href"]) == ("中文", "/errors/entries?domain=Queries&_lang=zh")


@pytest.mark.parametrize("base", ["/", "/known/"])
def test_their_stylesheet_is_where_the_page_says(made: Path, base: str) -> None:
    site = Site(made, settings={"base_url": base})
    try:
        for page in ("errors", "errors/entries", "errors/entries/1", "errors/search_zh"):
            links = [link.attributes["href"] or "" for link in tree(site, f"/{page}").css("link[rel=stylesheet]")]
            (sheet,) = [link for link in links if "tables.css" in link]
            assert sheet.startswith(f"{base}-/culdesac/")
            # The client puts the prefix before a path, but not before a whole address.
            answer = site.get(f"http://localhost{sheet}", avoid_path_rewrites=True)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    finally:
        site.close()


@pytest.mark.parametrize("kept", ["/known", ""])
def test_the_language_link_has_the_prefix_once(made: Path, kept: str) -> None:
    """A proxy may hand the prefix on, or take it off."""
    site = Site(made, settings={"base_url": "/known/"})
    try:
        for page, link in (("/errors/entries", "#page-language"), ("/errors/nosuch", "#other-language")):
            answer = site.get(f"http://localhost{kept}{page}", avoid_path_rewrites=True)
            address = HTMLParser(answer.text).css_first(link).attributes["href"] or ""
            assert urlsplit(address).path == f"/known{page}"
    finally:
        site.close()


def test_their_stylesheet_is_not_for_our_own_pages(web: Site) -> None:
    for path in ("/errors", "/errors/entries", "/errors/search_zh"):
        assert "tables.css" in web.get(path).text, path
    for path in ("/", "/search?q=x", "/entry/home/a"):
        assert "tables.css" not in web.get(path).text, path


def test_a_database_that_is_not_ours_is_untouched(made: Path, foreign: Path) -> None:
    site = Site(made, foreign)
    try:
        for path in ("/other", "/other/notes", "/other/notes/1", "/other?sql=select+1"):
            plain = site.get(path).text
            asked = site.get(f"{path}{'&' if '?' in path else '?'}_lang=zh").text
            assert "<html>" in plain
            hidden = '<input type="hidden" name="_lang" value="zh">'
            noise = r"\s+|[\d.]+ms|_lang=zh|[?&]|amp;"
            assert re.sub(noise, "", asked.replace(hidden, "")) == re.sub(noise, "", plain)
        assert "where lang = &#34;zh&#34;" in site.get("/other/notes?lang=zh").text
    finally:
        site.close()


def test_a_sites_own_titles_stay(made: Path) -> None:
    own = {"title": "Ours", "tables": {"entries": {"title": "All of them", "columns": {"pk": "Our number"}}}}
    site = Site(made, metadata={"databases": {"errors": own}})
    try:
        assert tree(site, "/errors?_lang=zh").css_first("h1").text(strip=True) == "Ours"
        page = tree(site, "/errors/entries?_lang=zh")
        assert page.css_first("h1").text(strip=True) == "All of them"
        assert "Our number" in page.css_first(".column-descriptions").text()
    finally:
        site.close()


def test_english_pages_are_as_datasette_makes_them(web: Site, made: Path) -> None:
    """But for the language in the root and the link to Chinese."""
    plain = Site(made, settings=UNHURRIED)
    try:
        plain.get("/-/versions.json")
        del plain.datasette.jinja_env.extensions[Marking.identifier]
        for page in PAGES:
            path = page.format("_lang=en")
            marked = re.sub(r' lang="en"|<a id="page-language".*?</a>', "", web.get(path).text)
            assert re.sub(NOISE, "", marked) == re.sub(NOISE, "", plain.get(path).text), path
    finally:
        plain.close()


def test_what_is_searched_for_is_escaped_in_chinese_too(web: Site) -> None:
    hostile = '"><script>alert(1)</script><a href="/errors">'
    for path in ("/errors/entries", "/errors/search"):
        text = web.get(f"{path}?_lang=zh", params={"_search": hostile, "_lang": "zh"}).text
        assert "<script>alert" not in text
        assert "alert(1)" in text


@given(st.text(alphabet="<>&;/abs \"='").map(str), st.integers(1, 5))
def test_cutting_a_template_keeps_all_of_it(data: str, size: int) -> None:
    cutter = Cutter()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert "".join(text for piece in pieces for text, _ in cutter.cut(piece)) == data


def test_only_what_a_reader_reads_is_marked() -> None:
    data = '<p class="row">Sort by <b title="Menu">x</b></p><script>var Tables = "a>b";</script><style>Views</style>1'
    assert [text for text, is_words in Cutter().cut(data) if is_words] == ["Sort by ", "Menu", "x"]
    assert {path.name for path in TEMPLATES.glob("*.html")} >= set(MARKED)
