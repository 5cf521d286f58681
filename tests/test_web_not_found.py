"""What isn't there, what a number in a row means, and what the front page says of the file."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from datasette import hookimpl
from datasette.plugins import pm
from datasette.utils.asgi import Response as AsgiResponse
from selectolax.lexbor import LexborHTMLParser

from tests.conftest import ingest
from tests.sites import Open, Site

PATHS = ("/entry", "/nosuch", "/errors/nosuch", "/errors/entries/99999", "/-/nosuch", "/entry/no/such")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_not_there_is_told_on_a_page_of_ours(sample_db: Path, open_site: Open, path: str, lang: str) -> None:
    answer = open_site(sample_db).get(f"{path}?lang={lang}")
    assert answer.status_code == 404
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    tree = LexborHTMLParser(answer.text)
    assert tree.css_first("h1").text() == {"en": "Not found", "zh": "找不到"}[lang]
    assert tree.css_first("html").attributes["lang"] == {"en": "en", "zh": "zh-CN"}[lang]
    assert tree.css_first("form#search").attributes["action"] == "/search" + ("?lang=zh" if lang == "zh" else "")
    other = {"en": "zh", "zh": "en"}[lang]
    assert tree.css_first("#other-language").attributes["href"] == f"{path}?lang={other}"


def test_a_program_is_told_in_json(sample_db: Path, open_site: Open) -> None:
    web = open_site(sample_db)
    for path in PATHS:
        answer = web.get(f"{path}.json")
        assert (answer.status_code, answer.json()["ok"]) == (404, False)
        assert answer.json()["error"]


def test_the_box_has_the_words_of_an_id_that_is_not_there(sample_db: Path, open_site: Open) -> None:
    web = open_site(sample_db)
    tree = LexborHTMLParser(web.get("/entry/pytorch/cuda-out-of-memory").text)
    assert tree.css_first("textarea").text().strip() == "pytorch cuda out of memory"
    hostile = web.get("/entry/" + quote("a/<script>alert(1)</script>")).text
    assert "<script>alert" not in hostile
    assert "<script>alert" not in web.get("/" + quote("<script>alert(1)</script>", safe="")).text


def test_behind_a_prefix_and_with_several_databases(sample_db: Path, other_db: Path, open_site: Open) -> None:
    web = open_site(other_db, sample_db, settings={"base_url": "/x/"})
    tree = LexborHTMLParser(web.get("/x/nosuch?db=errors").text)
    assert tree.css_first("form#search").attributes["action"] == "/x/search"
    assert tree.css_first("#search input[name=db]").attributes["value"] == "errors"
    links = [node.attributes["href"] or "" for node in tree.css("a:not(.skip, [rel])")]
    assert all(link.startswith("/x/") for link in links)
    # A database that isn't there is no place to search.
    tree = LexborHTMLParser(web.get("/x/nosuch?db=nosuch").text)
    assert tree.css("form#search")
    assert not tree.css("#search input[name=db]")


def test_no_link_leads_to_another_host(sample_db: Path, open_site: Open) -> None:
    web = open_site(sample_db)
    for path in ("//host.example/x", "///host.example"):
        answer = web.get(f"http://localhost{path}")
        assert answer.status_code == 404
        assert 'href="//' not in answer.text


def test_who_may_see_nothing_gets_nothing_of_ours(sample_db: Path, other_db: Path, open_site: Open) -> None:
    for metadata in ({"allow": {"id": "root"}}, {"databases": {"errors": {"allow": {"id": "root"}}}}):
        web = open_site(sample_db, other_db, metadata=metadata)
        answer = web.get("/nosuch")
        assert answer.status_code == 404
        assert "Culdesac" not in answer.text
        assert "errors" not in answer.text


def test_a_sites_own_page_comes_first(sample_db: Path, open_site: Open, tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text("<p>Nothing here, says the site</p>", encoding="utf-8")
    answer = open_site(sample_db, template_dir=str(tmp_path)).get("/nosuch")
    assert (answer.status_code, "says the site" in answer.text) == (404, True)


def test_other_plugins_come_first(sample_db: Path, open_site: Open) -> None:
    class Plugin:
        __name__ = "own-404"

        @hookimpl
        def handle_exception(self, request: Any, exception: Exception) -> Any:
            async def inner() -> AsgiResponse | None:
                return AsgiResponse.text("from a plugin", status=404) if request.path == "/theirs" else None

            return inner

    web, plugin = open_site(sample_db), Plugin()
    pm.register(plugin)
    try:
        assert web.get("/theirs").text == "from a plugin"
        assert "Not found" in web.get("/ours").text
    finally:
        pm.unregister(plugin)


def test_nothing_is_printed_of_an_address_that_is_not_there(
    sample_db: Path, open_site: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_site(sample_db).get("/nosuch").status_code == 404
    said = capsys.readouterr()
    assert said.out + said.err == ""


def test_datasettes_own_parameter_for_the_language_counts(corpus_db: Path, open_site: Open) -> None:
    web = open_site(corpus_db)
    assert "找不到" in web.get("/errors/nosuch?_lang=zh").text
    assert "条目页" in web.get("/errors/workarounds/1?_lang=zh").text
    assert "page of the entry" in web.get("/errors/workarounds/1").text


# -- Numbers of rows ---------------------------------------------------------------------------------------------------


def _cells(web: Site, path: str) -> dict[str, str]:
    tree = LexborHTMLParser(web.get(path).text)
    return {(node.attributes["class"] or "").split()[0]: node.html or "" for node in tree.css("td")}


def test_a_number_in_a_row_reads_as_the_row_it_means(corpus_db: Path, open_site: Open) -> None:
    web = open_site(corpus_db)
    with closing(sqlite3.connect(corpus_db)) as connection:
        pk, to, signature, address = connection.execute(
            "select transitions.pk, to_entry, signature, id from transitions join entries on entries.pk = to_entry"
        ).fetchone()
        action, step = connection.execute(
            "select action, workarounds.pk from workarounds join step_sources on workaround = workarounds.pk"
        ).fetchone() or (None, None)
        (source,) = connection.execute("select pk from step_sources where workaround = ?", [step]).fetchone()
    cell = _cells(web, f"/errors/transitions/{pk}")["col-to_entry"]
    text = LexborHTMLParser(cell).text()
    assert text.startswith(signature)
    assert f'href="/errors/entries/{to}"' in cell
    assert f'href="/entry/{address}"' in cell
    for path, column in (("versions/1,1", "entry"), ("workarounds/1", "entry"), ("dead_ends/1", "entry")):
        assert '<a href="/errors/entries/1">' in _cells(web, f"/errors/{path}").get(f"col-{column}", ""), path
    assert LexborHTMLParser(_cells(web, f"/errors/step_sources/{source}")["col-workaround"]).text().startswith(action)
    # In tables Datasette does it; the data of a row stays what it is.
    assert signature in web.get(f"/errors/transitions?pk={pk}").text
    assert web.get(f"/errors/transitions/{pk}.json?_shape=objects").json()["rows"][0]["to_entry"] == to


def test_a_label_is_only_for_those_who_may_see_its_row(sample_db: Path, open_site: Open) -> None:
    metadata = {"databases": {"errors": {"tables": {"entries": {"allow": {"id": "root"}}}}}}
    web = open_site(sample_db, metadata=metadata)
    cookie = {"ds_actor": web.datasette.sign({"a": {"id": "root"}}, "actor")}
    signature = '<a href="/errors/entries/1">'
    assert signature not in web.get("/errors/workarounds/1").text
    assert signature in web.get("/errors/workarounds/1", cookies=cookie).text


def test_a_hostile_label_stays_text(tmp_path: Path, open_site: Open) -> None:
    payload = "<img src=x onerror=alert(1)>"
    document = {"id": "a/b", "signature": payload, "workarounds": [{"action": payload, "sources": ["https://a.b/c"]}]}
    source = tmp_path / "one.jsonl"
    source.write_text(json.dumps(document), encoding="utf-8")
    ingest(tmp_path / "errors.db", source)
    web = open_site(tmp_path / "errors.db")
    for path in ("/errors/workarounds/1", "/errors/step_sources/1"):
        assert payload not in web.get(path).text
        assert "&lt;img src=x" in web.get(path).text


# -- What the file is --------------------------------------------------------------------------------------------------


def _about(web: Site) -> dict[str, str]:
    tree = LexborHTMLParser(web.get("/?lang=en").text)
    pairs = tree.css("dl.about > div")
    return {node.css_first("dt").text(): " ".join(node.css_first("dd").text().split()) for node in pairs}


def test_the_front_page_says_what_the_file_is(sample_db: Path, tmp_path: Path, open_site: Open) -> None:
    told = _about(open_site(sample_db))
    day = datetime.fromtimestamp(sample_db.stat().st_mtime, UTC).date().isoformat()
    assert told["File"] == "errors"
    assert told["Holds"] == "120 entries, 120 errors"
    assert told["Built"].startswith(f"{day}, with Culdesac ")
    assert "CC BY 4.0" in told["Built from"]
    # A source that states no licence: that is said.
    source = tmp_path / "mine.jsonl"
    source.write_text('{"id": "a/b", "signature": "Boom"}\n', encoding="utf-8")
    ingest(tmp_path / "mine.db", source)
    assert _about(open_site(tmp_path / "mine.db"))["Built from"] == "mine.jsonl licence: not stated by the sources"
    ingest(tmp_path / "both.db", source, sample_db)
    told = _about(open_site(tmp_path / "both.db"))
    assert "mine.jsonl (licence: not stated by the source)" in told["Built from"]
    assert "CC BY 4.0" in told["Built from"]


def test_examples_and_domains_of_the_front_page(corpus_db: Path, open_site: Open) -> None:
    web = open_site(corpus_db)
    tree = LexborHTMLParser(web.get("/?lang=zh").text)
    examples = [node.attributes["href"] or "" for node in tree.css("main .columns > section:first-child a")]
    errors = [web.get(link.partition("?")[0] + ".json").json() for link in examples]
    assert len(errors) == 6
    assert len({document["domain"] for document in errors}) == 6
    chips = {node.attributes["href"]: int(node.css_first(".quiet").text()) for node in tree.css("ul.chips a")}
    assert chips["/search?lang=zh&domain=python"] == 94
    listed = LexborHTMLParser(web.get("/search?lang=zh&domain=python").text)
    assert "94 个条目" in listed.css_first("#found").text()
