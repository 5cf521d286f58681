"""The results page over the whole corpus: facets, their combination, paging, and all of it without an address."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from httpx import Response
from selectolax.lexbor import LexborHTMLParser, LexborNode

from culdesac.plugins.web.pool import listed_sql
from culdesac.plugins.web.result_facets import FACETS
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.sql import engine as engine_sql
from tests.sites import LOG, Site

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
    count = re.match(r"[\d,]+", tree.css_first("#found").text())
    assert count
    return int(count[0].replace(",", ""))


def href(node: LexborNode) -> str:
    return str(node.attributes["href"])


def titles(tree: LexborHTMLParser) -> list[str]:
    """Where the results lead, in their order."""
    return [href(link).partition("?")[0] for link in tree.css(".result h2 a")]


def matching(tree: LexborHTMLParser) -> int:
    """How many errors match, of which the list shows the best."""
    more = re.search(r"the best of (\d+) errors", tree.css_first("#found").text())
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
    whole = titles(page(web, "/search?" + urlencode({"q": Q, "n": 100})))
    first = page(web, "/search?" + urlencode({"q": Q}))
    parts = [first, *(page(web, href(link)) for link in first.css(".pages a"))]
    assert len(whole) == found(first) > 10
    assert [title for part in parts for title in titles(part)] == whole
    assert parts[1].css_first(".results ol").attributes["start"] == "11"
    assert parts[1].css_first(".pages [aria-current=page]").text() == "2"
    # A page after the last is the last; what is no number is refused.
    assert titles(page(web, "/search?" + urlencode({"q": Q, "page": 99}))) == titles(parts[-1])
    assert web.get("/search?" + urlencode({"q": Q, "page": "x"})).status_code == 400


@pytest.mark.parametrize("lines", [500, 6_000], ids=["packed", "posted"])
def test_a_long_search_has_the_same(web: Site, lines: int) -> None:
    """By buttons: a page with a hundred addresses that hold a log would be a long one."""
    text = f"{LOG}\n{Q}\n" + "all went well here\n" * lines

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


def test_a_search_without_an_address_has_buttons_for_its_language_and_json(web: Site) -> None:
    """Random hex can't be packed: four hundred lines of it have no address."""
    lines = random.Random(8).randbytes(400 * 30).hex("\n", 30)
    text = f"{lines}\n{Q}\nCUDA out of memory"

    def post(path: str, **more: str) -> Response:
        answer = web.post(path, data={"q": text, **more})
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
        return answer

    def press(tree: LexborHTMLParser, button: LexborNode) -> Response:
        """Send what a browser does: the fields of the form that the button names, and the button's own."""
        form = tree.css_first(f"form#{button.attributes['form']}")
        assert form.attributes["method"] == "post"
        fields = {str(one.attributes["name"]): one.attributes["value"] or "" for one in form.css("input")}
        fields |= {str(one.attributes["name"]): one.text().removeprefix("\n") for one in form.css("textarea")}
        assert fields["q"] == text
        if button.attributes.get("name"):
            fields[str(button.attributes["name"])] = str(button.attributes["value"])
        return post(str(button.attributes["formaction"]), **{key: value for key, value in fields.items() if key != "q"})

    english = LexborHTMLParser(post("/search", n="3", domain="pytorch").text)
    assert not english.css("a#other-language, a#as-json, script:not([src])")
    assert english.css_first("button#other-language").text() == "中文"
    second = LexborHTMLParser(post("/search", n="3", domain="pytorch", set="page=2").text)
    for tree, number in ((english, None), (second, "2")):
        chinese = LexborHTMLParser(press(tree, tree.css_first("button#other-language")).text)
        assert chinese.css_first("html").attributes["lang"] == "zh-CN"
        assert titles(chinese)
        assert len(titles(chinese)) == len(titles(tree)) <= 3
        assert chinese.css_first("#search input[name=domain]").attributes["value"] == "pytorch"
        assert chinese.css_first("button#other-language").text() == "English"
        if number:
            assert chinese.css_first(".pages [aria-current=page]").text() == number
        back = LexborHTMLParser(press(chinese, chinese.css_first("button#other-language")).text)
        assert titles(back) == titles(tree)
        answer = press(chinese, chinese.css_first("button#as-json"))
        assert answer.headers["content-type"].startswith("application/json")
        found = answer.json()
        assert found["query"] == text
        assert {result["domain"] for result in found["results"]} == {"pytorch"}
    # What has an address keeps its links.
    short = page(web, "/search?" + urlencode({"q": Q}))
    assert short.css("a#other-language")
    assert short.css("a#as-json")
    assert not short.css("button#other-language, button#as-json")


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


# -- Nothing searched for, only chosen ---------------------------------------------------------------------------------

#: A value of each facet of the corpus.
CHOSEN = {
    "domain": "python", "category": "network_error", "resolvable": "partial", "verification_tier": "ai_generated",
    "package": "python", "os": "linux", "country": "jp", "chinese": "yes",
}  # fmt: skip
_PASSES = {"chinese": "signature_zh <> ''", "package": "pk in (select entry from versions where package = :package)"}


def passing(path: Path, chosen: dict[str, str], column: str = "error_id") -> list[str]:
    """Counted apart from the site: the errors that pass, the best documented first."""
    conditions = " and ".join(_PASSES.get(name, f"{name} = :{name}") for name in chosen)
    with closing(sqlite3.connect(path)) as connection:
        sql = f"select {column} from entries where {conditions} group by error_id order by min(pk)"
        return [value for (value,) in connection.execute(sql, chosen)]


@pytest.mark.parametrize("facet", FACETS)
def test_a_filter_alone_lists_what_has_it_best_documented_first(web: Site, corpus_db: Path, facet: str) -> None:
    assert set(CHOSEN) == set(FACETS)
    chosen = {facet: CHOSEN[facet]}
    errors = passing(corpus_db, chosen)
    tree = page(web, "/search?" + urlencode(chosen))
    assert found(tree) == len(errors) > 0
    assert "best documented first" in tree.css_first("#found").text()
    assert not tree.css(".score, .unsure, .snippet, .why")
    answer = web.get("/search.json", params={**chosen, "n": 100}).json()
    assert [result["error_id"] for result in answer["results"]] == errors[:100]
    assert all(result["score"] is None and not result["confident"] for result in answer["results"])
    assert answer == web.post("/search.json", json={**chosen, "n": 100}).json() | {"query": ""}
    # The same entries stand on the page, in that order, ten at a time.
    links = [href(link).partition("?")[0] for link in tree.css(".result h2 a")]
    assert links == [f"/entry/{result['id']}" for result in answer["results"][:10]]
    (chip,) = tree.css(".chosen a")
    assert href(chip) == "/search"


@pytest.mark.parametrize("facet", FACETS)
def test_the_counts_of_a_list_are_what_a_click_gives(web: Site, corpus_db: Path, facet: str) -> None:
    for chosen in ({"resolvable": "true"}, {"os": "linux", "resolvable": "true"}):
        tree = page(web, "/search?" + urlencode(chosen))
        clicks = []
        for item in tree.css(".facets li:not(.selected)"):
            query = urlsplit(href(item.css_first("a"))).query
            asked = {name: values[0] for name, values in parse_qs(query).items()}
            if asked.get(facet) != chosen.get(facet):
                clicks.append((asked, int(item.css_first(".count").text())))
        for asked, count in clicks[:3]:
            assert len(passing(corpus_db, asked)) == count == found(page(web, "/search?" + urlencode(asked)))
        assert clicks or facet in ("verification_tier", "chinese", "country")


def test_a_list_is_paged_whole(web: Site, corpus_db: Path) -> None:
    address = "/search?domain=python"
    tree = page(web, address)
    last = int(tree.css(".pages > a")[-1].text())
    listed = []
    for number in range(1, last + 1):
        part = page(web, f"{address}&page={number}")
        assert part.css_first(".pages [aria-current=page]").text() == str(number)
        listed += [href(link).removeprefix("/entry/") for link in part.css(".result h2 a")]
    assert listed == passing(corpus_db, {"domain": "python"}, "id")
    # Of many pages those around this one are named.
    wide = page(web, "/search?resolvable=true&page=50")
    named = [node.text() for node in wide.css(".pages > *")]
    assert named == ["1", "…", *map(str, range(47, 54)), "…", str(-(-found(wide) // 10))]


def test_a_list_of_nothing_and_no_list(web: Site) -> None:
    tree = page(web, "/search?domain=nowhere")
    assert found(tree) == 0
    assert "No result is left" in tree.text()
    assert tree.css(".chosen a")
    assert web.get("/search.json?domain=nowhere").json()["results"] == []
    for address in ("/search", "/search?domain=", "/search?q=+"):
        tree = page(web, address)
        assert not tree.css(".results, .facets")
        assert "Paste what the program printed" in tree.text()
    assert web.get("/search.json").json()["results"] == []


def test_what_is_looked_at_has_a_bound(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("culdesac.plugins.web.listing.MOST", 20)
    tree = page(web, "/search?os=linux&lang=en")
    assert re.fullmatch(r"\d+ errors \(20 entries\), the best documented of more", tree.css_first("#found").text())
    assert all(int(node.text()) <= 20 for node in tree.css(".facets .count"))


def test_a_list_is_found_by_an_index(corpus_db: Path) -> None:
    with closing(sqlite3.connect(corpus_db)) as connection:
        for facet, value in CHOSEN.items():
            parameters = Filters(**{facet: value})
            sql = "explain query plan " + listed_sql(parameters)
            plan = [row[3] for row in connection.execute(sql, {**parameters.parameters(), "most": 10})]
            assert not [line for line in plan if line.startswith("SCAN")], facet


# -- Nothing fits ------------------------------------------------------------------------------------------------------

UNKNOWN = "quantum toaster flux capacitor misaligned on tuesday"


def test_a_few_near_misses_are_enough_and_the_rest_is_a_link_away(web: Site) -> None:
    tree = page(web, "/search?" + urlencode({"q": UNKNOWN}))
    assert "No confident match" in tree.text()
    count = found(tree)
    assert tree.css_first("#found").text().startswith(f"{count} near misses")
    assert len(tree.css(".result")) == 4 < count
    assert not tree.css(".pages")
    (more,) = tree.css(".more a")
    assert more.text() == f"Show all {count} near misses"
    whole = page(web, href(more))
    assert len(whole.css(".result")) == min(count, 10)
    assert not whole.css(".more")
    # Page 2 leads back to all of page 1.
    if count > 10:
        second = page(web, href(whole.css(".pages a")[0]))
        first = page(web, href(second.css(".pages a")[0]))
        assert len(first.css(".result")) == 10
