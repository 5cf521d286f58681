"""An entry's page: what stands in it beside the entry, and that all of it together is still read back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser

import culdesac
from culdesac.db.codes import explained
from culdesac.db.messages import Lang
from culdesac.ingest.page import read_page
from culdesac.plugins.web.entry_extras import _short, graph
from culdesac.plugins.web.entry_page import render
from culdesac.plugins.web.pool import Edge
from tests.conftest import ingest
from tests.corpora import sample
from tests.sites import Site
from tests.test_pages import pruned

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


def test_every_fact_is_told_once(web: Site) -> None:
    tree = page(web, f"/entry/{HUB}")
    labels = [node.text() for node in tree.css("article dl:not(.step dl):not(.edge dl) dt")]
    assert len(labels) == len(set(labels))
    figures = {node.css_first("dt").text(): node.css_first("dd").text() for node in tree.css("dl.figures > div")}
    assert list(figures) == ["Resolvable", "Fix Rate", "Confidence", "Evidence", "First Seen"]
    assert figures["Resolvable"] == "resolvable"
    document = web.get(f"/entry/{HUB}.json").json()
    for step in (*document["workarounds"], *document["dead_ends"]):
        headings = [node.text() for node in tree.css("article .step h3")]
        assert sum(heading.startswith(step["action"]) for heading in headings) == 1
    # What is jumped to is there; a table that would say nothing isn't seen.
    ids = {node.attributes["id"] for node in tree.css("article [id]")}
    assert {(node.attributes["href"] or "")[1:] for node in tree.css("article header nav a")} <= ids
    assert [node.text() for node in tree.css("section.versions th")] == ["Version"]


def test_a_version_table_that_says_nothing_is_not_seen() -> None:
    html = render({"id": "a/b", "signature": "Boom", "versions": [{}, {}]})
    (section,) = LexborHTMLParser(html).css("section.versions")
    assert "hidden" in section.attributes
    assert len(read_page(html)["versions"]) == 2


def test_the_graph_stands_once_with_signatures_and_links(web: Site, corpus_db: Path) -> None:
    tree = page(web, f"/entry/{HUB}")
    assert len(tree.css("#graph")) == len(tree.css(".transition_graph")) == 1
    document = web.get(f"/entry/{HUB}.json").json()["transition_graph"]
    signatures = _signatures(corpus_db)
    for kind, edges in document.items():
        shown = tree.css(f"#graph section.{kind} .edge")
        assert len(shown) == len(edges) > 0
        for node, edge in zip(shown, edges, strict=True):
            link = node.css_first("h4 a")
            assert link.text() == signatures[edge["error_id"]]
            assert link.attributes["href"] == f"/entry/{edge['error_id']}"
            facts = " ".join(node.css_first("dl").text().split())
            assert edge["error_id"] in facts
            assert (edge.get("condition") or edge["distinction"]) in facts
            assert edge.get("probability") is None or f"{edge['probability']:.0%}" in facts
    # Those that name this one are beside them, each once on a side.
    others = tree.css("#graph .incoming li")
    assert len(others) > 10
    for side in tree.css("#graph .incoming"):
        ids = [node.text() for node in side.css("code")]
        assert len(ids) == len(set(ids))


def _signatures(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT id, signature FROM entries").fetchall())


def test_the_picture_has_signatures_and_leads_where_the_lists_do(web: Site) -> None:
    tree = page(web, f"/entry/{HUB}")
    assert tree.css_first("#graph svg[role=group]").attributes["aria-label"]
    listed = {node.attributes["href"]: node.text() for node in tree.css("#graph h4 a, #graph li a")}
    drawn = tree.css("#graph svg a")
    assert len(drawn) > 5
    for node in drawn:
        address = node.attributes["href"] or ""
        name, _, signature = node.css_first("title").text().partition(": ")
        assert name in address
        assert signature == listed[address]
        assert signature.startswith(node.css_first("text").text().rstrip("…"))
    assert not tree.css("#graph g.own a")
    # No edge, no picture.
    assert graph([], "x", "en", str) is None


def test_a_neighbour_that_the_file_does_not_have_is_no_link(tmp_path: Path) -> None:
    document = {"id": "a/b", "signature": "Boom", "transition_graph": {"leads_to": ["no/such", {"probability": 0.5}]}}
    source = tmp_path / "one.jsonl"
    source.write_text(json.dumps(document), encoding="utf-8")
    ingest(tmp_path / "errors.db", source)
    site = Site(tmp_path / "errors.db")
    try:
        tree = page(site, "/entry/a/b")
        assert not tree.css(".edge a, svg a")
        assert "no/such (not in this file)" in " ".join(tree.css_first(".edge h4").text().split())
        saved = read_page(site.get("/entry/a/b").text)["transition_graph"]["leads_to"]
        assert pruned(saved) == [{"error_id": "no/such"}, {"probability": 0.5}]
    finally:
        site.close()


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
    found = graph(edges, "Own", "en", lambda name: f"/{name}")
    assert found is not None
    drawn = [(box["kind"], box["title"].partition(":")[0], box["address"]) for box in found["picture"]["boxes"]]
    assert drawn == [
        ("before", "a/own-before/x", "/a/own-before/x"),
        ("before", "a/their-before", "/a/their-before"),
        ("own", "Own", None),
        ("after", "a/own-after", None),
        ("after", "a/their-after", "/a/their-after"),
        ("confused", "a/twin", None),
    ]
    assert {name: one.address for name, one in found["own"].items()} == {
        "a/own-after": None, "a/own-before": "/a/own-before/x", "a/twin": None,
    }  # fmt: skip
    incoming = {side: [one.id for one in members] for side, members in found["incoming"].items()}
    assert incoming == {"before": ["a/their-before"], "after": ["a/their-after"], "confused": []}
    assert len(drawn) == 6
    assert all(0 <= box["y"] <= found["picture"]["height"] - box["height"] for box in found["picture"]["boxes"])
    assert _short("x" * 31, 30) == "x" * 29 + "…"
    assert _short("显" * 20, 30) == "显" * 14 + "…"


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


def test_a_chinese_page_has_the_chinese_first_and_the_original_under_it(web: Site) -> None:
    document = sample()[0]
    chinese = page(web, f"/entry/{document['id']}?lang=zh")
    heading = chinese.css_first("article h1").text()
    assert heading == document["signature_zh"]
    assert chinese.css_first("title").text().startswith(heading)
    assert chinese.css_first("article h1 + aside").text() == document["signature"]
    text = " ".join(chinese.css_first("article").text().replace("\n", " ").split())

    def place(of: str) -> int:
        return text.index(" ".join(of.replace("`", "").split()))

    pairs = [(document["root_cause_zh"], document["root_cause"])]
    pairs += [
        (step, workaround["how"])
        for step, workaround in zip(document["workarounds_zh"], document["workarounds"], strict=True)
    ]
    for first, second in pairs:
        assert place(first) < place(second)
    # Each once; the dead ends have no Chinese, which is said once.
    for told, _ in pairs:
        assert text.count(" ".join(told.replace("`", "").split())) == 1
    assert text.count("没有中文的部分以英文显示。") == 1
    assert "此条目没有中文" not in text

    english = page(web, f"/entry/{document['id']}")
    assert english.css_first("article h1").text() == document["signature"]
    assert english.css_first("article h1 + aside") is None
    text = " ".join(english.css_first("article").text().split())
    assert place(document["root_cause"]) < place(document["root_cause_zh"])
    markdown = web.get(f"/entry/{document['id']}.md?lang=zh").text
    assert markdown.index(document["root_cause_zh"]) < markdown.index(document["root_cause"])
    assert markdown.index(document["workarounds_zh"][0]) < markdown.index(document["workarounds"][0]["how"])
