"""The results page over the whole corpus: facets, their combination, paging, and all of it without an address."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from culdesac.plugins.web.result_facets import FACETS
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.sql import engine as engine_sql
from tests.test_web import Site

#: A search that finds something of every facet.
Q = "Japan visa card payment connection timed out 超时 memory"


@pytest.fixture(scope="module")
def web(corpus_db: Path) -> Iterator[Site]:
    """The corpus's site."""
    found = Site(corpus_db)
    yield found
    found.close()


def page(web: Site, address: str) -> LexborHTMLParser:
    answer = web.get(address)
    assert answer.status_code == 200
    return LexborHTMLParser(answer.text)


def found(tree: LexborHTMLParser) -> int:
    (count,) = re.findall(r"Errors found: (\d+)", tree.css_first("#found").text())
    return int(count)


def href(node: LexborNode) -> str:
    return str(node.attributes["href"])


def matching(tree: LexborHTMLParser) -> int:
    """How many errors match, of which the list shows the best."""
    more = re.search(r"the best of (\d+) that match", tree.text())
    return int(more[1]) if more else found(tree)


@pytest.mark.parametrize(("q", "facet"), [*((Q, facet) for facet in FACETS), ("timeout", "domain"), ("timeout", "os")])
def test_a_facets_count_is_the_least_that_a_click_gives(web: Site, q: str, facet: str) -> None:
    tree = page(web, "/search?" + urlencode({"q": q}))
    links = {
        href(item.css_first("a")): int(item.css_first(".count").text())
        for item in tree.css(".facets li")
        if facet in parse_qs(urlsplit(href(item.css_first("a"))).query)
    }
    assert links
    for address, count in links.items():
        assert 0 < count <= matching(tree)
        narrowed = page(web, address)
        assert matching(narrowed) >= count
        assert int(narrowed.css_first(".facets li.selected .count").text()) == matching(narrowed)
        (chip,) = narrowed.css(".chosen a")
        assert href(chip) == "/search?" + urlencode({"q": q})
        assert len(narrowed.css(".facets li.selected")) == 1


def test_counts_are_of_the_whole_file(web: Site, corpus_db: Path) -> None:
    """Counted apart from the site: one word of one form, so every error that holds it matches."""
    with closing(sqlite3.connect(corpus_db)) as connection:
        counted = dict(
            connection.execute(
                "select domain, count(distinct error_id) from entries_fts join entries on pk = entries_fts.rowid"
                " where entries_fts match 'tensor' group by domain"
            )
        )
    tree = page(web, "/search?q=tensor")
    domains = {
        item.css_first("a").text(): int(item.css_first(".count").text())
        for item in tree.css(".facets section")[0].css("li")
    }
    assert found(tree) < matching(tree) == sum(domains.values())
    assert domains == counted


@pytest.mark.parametrize("facet", FACETS)
def test_a_facet_brings_up_what_was_too_far_down(web: Site, facet: str) -> None:
    tree = page(web, "/search?" + urlencode({"q": Q, "n": 100}))
    whole = {href(link) for link in tree.css(".result h2 a")}
    risen = set()
    for link in tree.css(".facets li a"):
        if facet in parse_qs(urlsplit(href(link)).query):
            risen |= {href(result) for result in page(web, href(link)).css(".result h2 a")} - whole
    assert risen


def test_the_fiftieth_is_shown_where_it_is_narrowed_to(corpus_db: Path) -> None:
    with Engine(corpus_db) as engine, closing(sqlite3.connect(corpus_db)) as connection:
        first = [result.id for result in engine.search("timeout", 100).results]
        sql = (
            "select entries.id, domain, category from entries_fts join entries on pk = entries_fts.rowid"
            " where entries_fts match 'timeout' order by pk"
        )
        rest = [row for row in connection.execute(sql) if row[0] not in first][40:]
        shared = Counter(row[1:] for row in rest)
        last = [row for row in rest if shared[row[1:]] < 5]
        assert len(last) > 10
        for entry_id, domain, category in last:
            narrowed = engine.search("timeout", 100, filters=Filters(domain=domain, category=category))
            assert entry_id in [variant for result in narrowed.results for variant in result.variants]


def test_facets_combine_and_come_off_one_by_one(web: Site) -> None:
    asked = {"resolvable": "true", "os": "linux", "verification_tier": "", "q": Q}
    tree = page(web, "/search?" + urlencode(asked))
    assert 0 < found(tree) <= found(page(web, "/search?" + urlencode({"os": "linux", "q": Q})))
    chips = {parse_qs(urlsplit(href(chip)).query).get("os", [""])[0]: chip for chip in tree.css(".chosen a")}
    assert set(chips) == {"linux", ""}
    assert found(page(web, href(chips["linux"]))) >= found(tree)
    assert all(parse_qs(urlsplit(href(link)).query)["os"] == ["linux"] for link in tree.css(".pages a"))
    nothing = page(web, "/search?" + urlencode({"q": Q, "country": "nowhere"}))
    assert found(nothing) == 0
    assert "No result is left" in nothing.text()
    assert nothing.css(".chosen a")


def test_pages_are_the_whole_list_in_parts(web: Site) -> None:
    def titles(tree: LexborHTMLParser) -> list[str]:
        return [href(link) for link in tree.css(".result h2 a")]

    whole = titles(page(web, "/search?" + urlencode({"q": Q, "n": 100})))
    first = page(web, "/search?" + urlencode({"q": Q}))
    parts = [first, *(page(web, href(link)) for link in first.css(".pages a"))]
    assert len(whole) == found(first) > 10
    assert [title for part in parts for title in titles(part)] == whole
    assert parts[1].css_first(".results ol").attributes["start"] == "11"
    assert parts[1].css_first(".pages [aria-current=page]").text() == "2"
    # A page after the last is the last; what is no number is the first.
    assert titles(page(web, "/search?" + urlencode({"q": Q, "page": 99}))) == titles(parts[-1])
    assert titles(page(web, "/search?" + urlencode({"q": Q, "page": "x"}))) == titles(first)


@pytest.mark.parametrize("lines", [500, 6_000], ids=["packed", "posted"])
def test_a_long_search_has_the_same(web: Site, lines: int) -> None:
    """By buttons: a page with a hundred addresses that hold a log would be a long one."""
    text = Q + "\n" + "all went well here\n" * lines

    def post(**more: str) -> LexborHTMLParser:
        answer = web.post("/search", data={"q": text, **more})
        if lines == 500:
            assert answer.status_code == 303
            answer = web.get(answer.headers["location"])
        assert answer.status_code == 200
        return LexborHTMLParser(answer.text)

    tree = post()
    assert not tree.css(".facets a, .pages a")
    buttons = {str(button.attributes["value"]) for button in tree.css("button[name=set]")}
    assert {"page=2", "os=linux", "resolvable=true"} <= buttons
    second = post(set="page=2")
    assert second.css_first(".pages [aria-current=page]").text() == "2"
    narrowed = post(page="2", set="os=linux")
    assert narrowed.css_first("#search input[name=os]").attributes["value"] == "linux"
    assert narrowed.css_first(".chosen button").attributes["value"] == "os="
    assert found(post(os="linux", set="os=")) == found(tree)


def test_the_api_narrows_by_what_the_engine_knows(web: Site) -> None:
    chosen = {
        "os": "linux", "package": "python", "domain": "networking", "resolvable": "partial", "country": "jp",
        "category": "network_error", "verification_tier": "ai_generated", "chinese": "yes",
    }  # fmt: skip
    assert set(chosen) == set(FACETS)
    for facet, value in chosen.items():
        answer = web.get("/search.json", params={"q": Q, facet: value, "n": 100}).json()
        assert answer["results"]
        assert answer == web.post("/search.json", json={"q": Q, facet: value, "n": 100}).json()
        assert len(answer["results"]) == found(page(web, "/search?" + urlencode({"q": Q, facet: value})))


@pytest.mark.parametrize("facet", FACETS)
def test_a_filter_passes_just_the_entries_that_have_it(corpus_db: Path, facet: str) -> None:
    """However it is read, which depends on how many entries have it: as a list, or row by row."""
    has = {
        "chinese": "entries.signature_zh <> ''",
        "package": "pk in (select entry from versions where package = :value)",
    }
    with Engine(corpus_db) as engine, closing(sqlite3.connect(corpus_db)) as connection:
        tree = [engine.search("timeout", 1).results[0], *engine.search("显存不足", 1).results]
        sql = f"select {facet if facet not in has else 'null'} from entries where id = ?"
        values = {"chinese": ["yes"], "package": ["tcp", "torch"]}.get(facet) or [
            value for result in tree for (value,) in connection.execute(sql, (result.id,)) if value
        ] + ["nothing has it"]
        for value in values:
            condition = has.get(facet, f"{facet} = :value")
            wanted = connection.execute(
                "select pk from entries_fts join entries on pk = entries_fts.rowid"
                f" where entries_fts match 'memory' and {condition} order by pk",
                {"value": value},
            ).fetchall()
            given = {**Filters(**{facet: value}).parameters(), "term": "memory", "limit": 5_000, "words": '["memory"]'}
            for few in ("30000", "1"):
                text = engine_sql("propose_by_text_filtered").replace("30000", few)
                assert connection.execute(text, given).fetchall() == wanted
                text = engine_sql("propose_by_signature_filtered").replace("30000", few)
                signatures = {entry for _, entry in connection.execute(text, given)}
                everywhere = connection.execute("select entry from signature_words where word = 'memory'").fetchall()
                passing = connection.execute(f"select pk from entries where {condition}", {"value": value}).fetchall()
                assert signatures == {entry for (entry,) in everywhere} & {pk for (pk,) in passing}
