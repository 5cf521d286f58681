"""The results page over the whole corpus: facets, their combination, paging, and all of it without an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from culdesac.plugins.web.result_facets import FACETS, IN_ENGINE
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


@pytest.mark.parametrize("facet", FACETS)
def test_a_facets_count_is_what_a_click_gives(web: Site, facet: str) -> None:
    tree = page(web, "/search?" + urlencode({"q": Q}))
    links = {
        href(item.css_first("a")): int(item.css_first(".count").text())
        for item in tree.css(".facets li")
        if facet in parse_qs(urlsplit(href(item.css_first("a"))).query)
    }
    assert links
    for address, count in links.items():
        narrowed = page(web, address)
        # These are asked for in the whole file, so they can have more than the search everywhere gave.
        assert found(narrowed) >= count if facet in IN_ENGINE else found(narrowed) == count
        (chip,) = narrowed.css(".chosen a")
        assert href(chip) == "/search?" + urlencode({"q": Q})
        assert len(narrowed.css(".facets li.selected")) == 1


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


def test_a_search_without_an_address_has_the_same(web: Site) -> None:
    text = Q + "\n" + "all went well here\n" * 500

    def post(**more: str) -> LexborHTMLParser:
        answer = web.post("/search", data={"q": text, **more})
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
    for facet, value in (("os", "linux"), ("package", "python"), ("domain", "networking")):
        answer = web.get("/search.json", params={"q": Q, facet: value, "n": 100}).json()
        assert answer["results"]
        assert answer == web.post("/search.json", json={"q": Q, facet: value, "n": 100}).json()
        assert len(answer["results"]) == found(page(web, "/search?" + urlencode({"q": Q, facet: value})))
