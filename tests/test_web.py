"""The web over HTTP, without a server: our pages and the API."""

from __future__ import annotations

import html
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from culdesac.plugins.web import exchange
from culdesac.plugins.web.exchange import MOST_PACKED, MOST_UNPACKED, clean, packed, unpacked
from culdesac.queries.engine import Engine
from tests.corpora import sample
from tests.sites import LOG, OOM, Open, Site

FORM = "application/x-www-form-urlencoded"

# Pages


def test_home_leads_to_the_search_box_and_the_data(web: Site) -> None:
    page = web.get("/")
    assert page.status_code == 200
    assert '<form id="search"' in page.text
    assert 'action="/search"' in page.text
    assert 'href="/errors"' in page.text
    assert "CC BY 4.0" in page.text
    assert "120 entries" in page.text
    assert '<html lang="zh-CN">' in web.get("/?lang=zh").text


def test_a_pasted_log_finds_its_entry(web: Site) -> None:
    posted = web.post("/search", data={"q": LOG})
    assert posted.status_code == 303
    page = web.get(posted.headers["location"])
    assert page.status_code == 200
    first = re.search(r'<h2><a href="([^"]+)">', page.text)
    assert first is not None
    assert first[1] == f"/entry/{OOM}"
    assert "<mark>" in page.text
    assert "Line 4, its pattern matches" in page.text
    assert "search;dur=" in page.headers["server-timing"]


def test_a_long_log_is_answered_where_it_was_posted(web: Site) -> None:
    page = web.post("/search", data={"q": "step 17 of the build went well\n" * 5_000 + LOG})
    assert page.status_code == 200
    assert f'href="/entry/{OOM}"' in page.text
    # Facets of a search without an address are buttons of its form.
    assert '<button form="search" name="set" value="domain=pytorch"' in page.text
    narrowed = web.post("/search", data={"q": "x\n" * 60_000 + LOG, "set": "domain=pytorch"})
    assert '<input type="hidden" name="domain" value="pytorch">' in narrowed.text


def test_a_log_of_forty_lines_has_an_address(web: Site) -> None:
    """So that the browser's way back, reloading, sharing, and the links to the other language and to JSON work."""
    log = "\n".join(f"2031-05-{day:02} step {day * 7919} of the build went well" for day in range(1, 60)) + LOG
    posted = web.post("/search", data={"q": log, "set": "domain=pytorch"})
    assert posted.status_code == 303
    address = posted.headers["location"]
    assert 100 < len(address) < MOST_PACKED
    page = web.get(address)
    assert f'href="/entry/{OOM}"' in page.text
    assert '<input type="hidden" name="domain" value="pytorch">' in page.text
    as_json = re.search(r'href="(/search\.json\?[^"]*z=[^"]+)"', page.text)
    assert as_json is not None
    answer = web.get(html.unescape(as_json[1])).json()
    assert answer["query"] == log
    assert answer["results"][0]["id"] == OOM
    assert re.search(r'href="/search\?lang=zh[^"]*z=', page.text)


@given(st.text())
def test_a_packed_text_is_unpacked_as_it_was(text: str) -> None:
    text = clean(text)
    assert unpacked(packed(text)) == text


@pytest.mark.parametrize("text", ["x", "!!", "AAAA", packed("a")[:-1], packed("a" * (MOST_UNPACKED + 1)), "中"])
def test_what_is_no_packed_text_is_told(web: Site, text: str) -> None:
    for path in ("/search", "/search.json"):
        answer = web.get(path, params={"z": text})
        assert answer.status_code == 400
        assert "z: not a packed text" in answer.text


def test_entry_page(web: Site) -> None:
    page = web.get(f"/entry/{OOM}")
    assert page.status_code == 200
    assert "<article" in page.text
    assert f'href="/entry/{OOM}.json"' in page.text
    chinese = web.get(f"/entry/{OOM}?lang=zh").text
    assert "显存不足" in chinese
    assert f'href="/entry/{OOM}.md?lang=zh"' in chinese
    markdown = web.get(f"/entry/{OOM}.md")
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert "out of memory" in markdown.text


def test_entry_json_is_what_was_ingested(web: Site) -> None:
    for document in sample():
        found = web.get(f"/entry/{quote(document['id'])}.json")
        assert found.headers["content-type"] == "application/json; charset=utf-8"
        assert json.loads(found.text) == document
        assert list(json.loads(found.text)) == list(document)


@pytest.mark.parametrize("suffix", ["", ".json", ".md"])
@pytest.mark.parametrize("name", ["no/such", "x", "a/b/c/d/e", "%E4%B8%AD/%00", "..%2f..%2fetc/passwd", "<script>/x"])
def test_unknown_entry(web: Site, name: str, suffix: str) -> None:
    answer = web.get(f"/entry/{name}{suffix}")
    assert answer.status_code == 404
    if suffix == ".json":
        assert answer.json() == {"ok": False, "error": "no entry or error has this id"}
    else:
        assert "<script>/x" not in answer.text


def test_our_pages_have_nothing_inline_and_nothing_foreign(web: Site) -> None:
    for path in ("/", "/search?q=cuda", f"/entry/{OOM}", "/entry/no/such", "/?lang=zh"):
        page = web.get(path)
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page.text)
        assert not re.search(r'(?:src|<link[^>]*href)="(?:https?:)?//', page.text)
        assert "set-cookie" not in page.headers
        assert "default-src 'none'" in page.headers["content-security-policy"]
        for asset in re.findall(r'(?:src|stylesheet" href)="([^"]+)"', page.text):
            assert web.get(asset).status_code == 200


def test_everything_in_an_entry_is_escaped(sample_db: Path, tmp_path: Path, open_site: Open) -> None:
    evil = "<script>alert(1)</script>\"'>{{ 7*7 }}"
    path = tmp_path / "errors.db"
    shutil.copy(sample_db, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("update entries set signature_zh = ?, category = ?, root_cause = ?", [evil] * 3)
        connection.execute("update entries set official_doc_url = 'javascript:alert(1)', domain = ?", [evil])
        connection.execute("update workarounds set action = ?, how = ?, text_zh = ?", [evil] * 3)
        connection.execute("update dead_ends set action = ?, why_fails = ?", [evil] * 2)
        connection.execute("update about set value = ? where key like '%licence'", [evil])
        connection.commit()
    web = open_site(path)
    for address in (
        "/",
        "/?lang=zh",
        "/search?q=cuda+memory&lang=zh",
        f"/search?q={quote(evil + ' cuda')}",
        f"/entry/{OOM}",
    ):
        page = web.get(address)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "49" not in re.findall(r"&gt;(\S+)", page.text)
        assert 'href="javascript:' not in page.text
    assert "<script>alert" not in web.get("/errors/entries").text


@pytest.mark.parametrize(
    "path", ["/?lang=zh&db=errors", "/overview?lang=zh&db=errors", f"/entry/{OOM}?lang=zh&db=errors"]
)
def test_links_of_a_page_keep_its_database_and_language(web: Site, path: str) -> None:
    page = web.get(path).text
    for where in ("/", "/search", "/overview"):
        assert f'href="{where}?lang=zh&amp;db=errors"' in page


# The API


def test_search_json_is_the_answer(web: Site, sample_db: Path) -> None:
    with Engine(sample_db) as engine:
        answer = engine.search(LOG, n=3, domain="pytorch", lang="zh").as_dict()
    expected = json.loads(json.dumps(answer))
    asked = {"q": LOG, "n": 3, "domain": "pytorch", "lang": "zh"}
    assert web.get("/search.json", params=asked).json() == expected
    assert web.post("/search.json", json=asked).json() == expected
    assert web.post("/search.json", data={**asked, "n": "3"}).json() == expected
    plain = {"content": LOG.encode(), "headers": {"content-type": "text/plain"}}
    assert web.post("/search.json?n=3&domain=pytorch&lang=zh", **plain).json() == expected
    assert len(web.get("/search.json?q=error").json()["results"]) == 5


@pytest.mark.parametrize("q", ["", "   \n", "\0", "的了吗"])
def test_nothing_asked_nothing_found(web: Site, q: str) -> None:
    answer = web.get("/search.json", params={"q": q})
    assert (answer.status_code, answer.json()["results"], answer.json()["confident"]) == (200, [], False)
    assert web.get("/search", params={"q": q}).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 400),
        ({"content": b"[1]", "headers": {"content-type": "application/json"}}, 400),
        ({"content": b"[" * 100_000, "headers": {"content-type": "application/json"}}, 400),
        ({"json": {"q": 1}}, 400),
        ({"json": {"q": "x", "n": True}}, 400),
        ({"json": {"q": "x", "n": 0}}, 400),
        ({"json": {"q": "x", "n": 10**30}}, 200),
        ({"json": {"q": "x", "n": None, "domain": None, "lang": None}}, 200),
        ({"json": {"q": "x", "lang": "fr"}}, 400),
        ({"json": {"q": "x", "db": "nowhere"}}, 404),
        (
            {"content": b'{"q": "\\ud800 cuda", "domain": "\\udfff"}', "headers": {"content-type": "application/json"}},
            200,
        ),
        ({"content": b"\xff\xfe", "headers": {"content-type": "text/plain"}}, 200),
        ({"content": b"x", "headers": {"content-type": "image/png"}}, 415),
        ({"content": b"q=" + b"x" * (exchange.MOST_BODY + 1)}, 413),
        ({"data": {"q": "x" * 900_000}}, 200),
        ({"data": {"q": "显" * 300_000}}, 200),
        ({"data": {"q": "显" * 400_000}}, 413),
        ({"content": b"&a=b" * 200}, 400),
        ({"content": '{"q": "显存不足"}'.encode()}, 400),
        ({"content": '{"q": "显存不足"}'.encode(), "headers": {"content-type": FORM}}, 400),
        ({"data": {"query": "cuda"}}, 400),
        ({"json": {"query": "cuda"}}, 400),
        ({"json": {}}, 200),
        ({"content": b""}, 200),
        ({"data": {"q": ""}}, 200),
        ({"data": {"q": "cuda", "n": "", "page": ""}}, 200),
        ({"json": {"q": "x", "lang": "zh-Hant-TW"}}, 200),
    ],
)
def test_bad_and_odd_requests(web: Site, body: dict[str, Any], status: int) -> None:
    answer = web.post("/search.json", **body)
    assert answer.status_code == status
    if status != 200:
        assert answer.json()["ok"] is False
        assert "\n" not in answer.json()["error"]


def test_a_body_without_a_field_is_told_what_is_read(web: Site) -> None:
    told = web.post("/search.json", content='{"q": "显存不足"}'.encode(), headers={"content-type": FORM}).json()[
        "error"
    ]
    assert all(kind in told for kind in ("application/json", FORM, "text/plain"))
    page = web.post("/search?lang=zh", content=b"a=b", headers={"content-type": FORM})
    assert page.status_code == 400
    assert "请求正文里没有搜索的任何字段" in page.text


@pytest.mark.parametrize("wrong", ["n=many", "n=0", "n=-1", "page=x", "page=0"])
def test_a_page_refuses_the_numbers_that_the_api_refuses(web: Site, wrong: str) -> None:
    page = web.get(f"/search?q=cuda&lang=zh&{wrong}")
    told = web.get(f"/search.json?q=cuda&{wrong}")
    assert (page.status_code, told.status_code) == (400, 400)
    assert "应为" in page.text
    assert web.get("/search?q=cuda&n=&page=").status_code == 200


@pytest.mark.parametrize(
    "path", ["/search", "/search.json", f"/entry/{OOM}", f"/entry/{OOM}.json", f"/entry/{OOM}.md", "/"]
)
def test_other_methods_are_refused(web: Site, path: str) -> None:
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"):
        answer = web.ask(method, path)
        assert answer.status_code == 405
        assert "GET" in answer.headers["allow"]
    assert web.ask("HEAD", path).status_code == 200


def test_a_posted_search_needs_no_token(web: Site) -> None:
    answer = web.post("/search.json", json={"q": "cuda"}, headers={"cookie": "ds_csrftoken=x; a=b"})
    assert answer.status_code == 200
    # What changes something needs one, or (Datasette 1.0) must come from the site's own pages.
    elsewhere = {"cookie": "a=b", "sec-fetch-site": "cross-site"}
    assert web.post("/-/messages", data={"message": "x"}, headers=elsewhere).status_code == 403
