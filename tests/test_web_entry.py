"""An entry's page: what stands in it beside the entry, and that all of it together is still read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser

import culdesac
from culdesac.db.codes import explained
from culdesac.db.messages import Lang
from culdesac.ingest.page import read_page
from culdesac.plugins.web.entry_extras import _short, glance, graph
from culdesac.plugins.web.pool import Edge
from tests.corpora import sample
from tests.test_pages import pruned
from tests.test_web import Site

HUB = "networking/connection-timeout/tcp-linux"
VARIED = "medical/ehic-non-eu-ineligible"


@pytest.fixture(scope="module")
def web(corpus_db: Path) -> Iterator[Site]:
    """The corpus's site."""
    found = Site(corpus_db)
    yield found
    found.close()


def page(web: Site, path: str) -> LexborHTMLParser:
    answer = web.get(path)
    assert answer.status_code == 200
    return LexborHTMLParser(answer.text)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_page_that_was_saved_is_the_entry_again(web: Site, lang: str) -> None:
    nested = [line["id"] for line in map(json.loads, web.get("/entries.ndjson").text.splitlines()[:2_000:100])]
    for entry_id in [*(document["id"] for document in sample()[::6]), *nested, HUB]:
        path = f"/entry/{quote(entry_id)}"
        document = json.loads(web.get(f"{path}.json").text)
        assert pruned(read_page(web.get(f"{path}?lang={lang}").text)) == pruned(document), entry_id


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_problems_of_an_entry_are_told_as_they_are_stored(web: Site, corpus_db: Path, lang: Lang) -> None:
    entry = "java/hibernate-lazy-init/jdk17-linux"
    with culdesac.open(corpus_db) as file:
        problems = file.show(entry).problems
    assert problems
    shown = [item.text() for item in page(web, f"/entry/{entry}?lang={lang}").css("section.problems li")]
    assert len(shown) == len(problems)
    markdown = web.get(f"/entry/{entry}.md?lang={lang}").text
    for text, problem in zip(shown, problems, strict=True):
        assert problem["code"] in text
        assert problem["field"] in text
        assert explained(problem["code"], problem["message"], lang) in text
        assert f"\n- {text}\n" in markdown


def test_the_short_of_it_has_the_best_first(web: Site) -> None:
    found = glance(
        {
            "resolvable": "partial",
            "fix_success_rate": 0.5,
            "workarounds": [{"action": "a", "success_rate": 0.2}, {"how": "b", "success_rate": 0.9}, {"action": "c"}],
            "workarounds_zh": ["甲"],
            "dead_ends": [{"action": "", "why_fails": "never works", "fail_rate": 7}],
        },
        "zh",
    )
    assert [(step["text"], step["rate"], step["anchor"]) for step in found["workarounds"]] == [
        ("b", "90%", "workarounds-2"), ("甲", "20%", "workarounds-1"), ("c", None, "workarounds-3")
    ]  # fmt: skip
    assert [(end["text"], end["rate"]) for end in found["dead_ends"]] == [("never works", None)]
    tree = page(web, f"/entry/{HUB}")
    ids = {node.attributes["id"] for node in tree.css("article .step")}
    anchors = [(node.attributes["href"] or "")[1:] for node in tree.css(".glance a")]
    assert anchors
    assert set(anchors) <= ids
    assert tree.css_first(".glance .is-true, .glance .is-partial, .glance .is-false")


def test_the_graph_is_a_picture_and_links(web: Site) -> None:
    tree = page(web, f"/entry/{HUB}")
    assert tree.css_first("#graph svg[role=group]").attributes["aria-label"]
    # What the picture leads to is in the lists, each with the whole of its name to hear or to point at.
    listed = {node.attributes["href"] for node in tree.css("#graph li a")}
    drawn = tree.css("#graph svg a")
    assert len(drawn) > 5
    for node in drawn:
        assert node.attributes["href"] in listed
        name, _, signature = node.css_first("title").text().partition(": ")
        assert name in (node.attributes["href"] or "")
        assert signature
    assert not tree.css("#graph g.own a")
    links = [node.attributes["href"] or "" for node in tree.css("#graph li a")]
    assert len(links) > 20
    for link in links[:5]:
        assert (
            page(web, link).css_first("#graph").text().count("ETIMEDOUT") or "connection-timeout" in web.get(link).text
        )
    for side in ("before", "after", "confused"):
        assert tree.css(f"#graph g.{side}") == [] or tree.css(f"#graph section.{side} li")
    # No edge, no picture.
    assert graph([], "x", "en", str) is None


def test_an_edge_goes_to_the_side_where_it_belongs() -> None:
    def edge(outward: bool, kind: str, name: str, entry: str | None = None) -> Edge:
        return Edge(outward, kind, name, entry, None, None, 0.25, "when", None)

    edges = [
        edge(True, "leads_to", "a/own-after"),
        edge(True, "preceded_by", "a/own-before", "a/own-before/x"),
        edge(False, "leads_to", "a/their-before", "a/their-before"),
        edge(False, "preceded_by", "a/their-after", "a/their-after"),
        edge(True, "frequently_confused_with", "a/twin"),
        edge(False, "frequently_confused_with", "a/twin", "a/twin"),
        edge(False, "leads_to", "a/their-before", "a/their-before"),
    ]
    found = graph(edges, "a/own", "en", lambda name: f"/{name}")
    assert found is not None
    sides = {side: [(one.id, one.address) for one in members] for side, members in found["sides"].items()}
    assert sides == {
        "before": [("a/own-before/x", "/a/own-before/x"), ("a/their-before", "/a/their-before")],
        "after": [("a/own-after", None), ("a/their-after", "/a/their-after")],
        "confused": [("a/twin", None)],
    }
    assert len(found["picture"]["boxes"]) == 6
    assert all(0 <= box["y"] <= found["picture"]["height"] - box["height"] for box in found["picture"]["boxes"])
    assert _short("x" * 31) == "x" * 29 + "…"
    assert _short("显" * 20) == "显" * 14 + "…"


def test_variants_stand_side_by_side(web: Site) -> None:
    tree = page(web, f"/entry/{VARIED}")
    heads = tree.css("#variants thead th")
    assert len(heads) == 16
    assert heads[0].css_first("[aria-current=page]")
    for row in tree.css("#variants tbody tr"):
        assert len(row.css("td")) == 16
    second = heads[1].css_first("a").attributes["href"]
    assert second
    assert page(web, second).css_first("#variants [aria-current=page]").text() == heads[1].text()
    assert not page(web, "/entry/pytorch/cuda-out-of-memory-training").css("#variants")


def test_the_other_forms_are_one_click_away(web: Site) -> None:
    tree = page(web, f"/entry/{HUB}?lang=zh")
    links = [(node.text(), node.attributes["href"]) for node in tree.css(".formats a")][:3]
    assert links == [
        ("JSON", f"/entry/{HUB}.json"), ("Markdown", f"/entry/{HUB}.md?lang=zh"), ("English", f"/entry/{HUB}")
    ]  # fmt: skip


def test_a_chinese_page_is_headed_in_chinese_with_the_original_under_it(web: Site) -> None:
    document = sample()[0]
    chinese = page(web, f"/entry/{document['id']}?lang=zh")
    heading = chinese.css_first("article h1").text()
    assert heading == document["signature_zh"]
    assert chinese.css_first("title").text().startswith(heading)
    assert chinese.css_first("article h1 + aside p").text() == document["signature"]
    english = page(web, f"/entry/{document['id']}")
    assert english.css_first("article h1").text() == document["signature"]
    assert english.css_first("aside p.original") is None
