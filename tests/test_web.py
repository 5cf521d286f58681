"""The web over HTTP, without a server: our pages and API, Datasette's own pages with our file, and what they share."""

from __future__ import annotations

import asyncio
import html
import json
import os
import re
import shutil
import sqlite3
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from datasette import Response as AsgiResponse
from datasette import hookimpl
from datasette.app import Datasette
from datasette.plugins import pm
from httpx import Response
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from culdesac.db.file import FileError
from culdesac.db.sql import SqlFolder
from culdesac.plugins.web import boxes, exchange
from culdesac.plugins.web.columns import HIDDEN, TABLES
from culdesac.plugins.web.exchange import MOST_PACKED, MOST_UNPACKED, clean, packed, unpacked
from culdesac.plugins.web.serve import serve, site
from culdesac.plugins.web.texts import inline, marked, percent
from culdesac.queries.engine import Engine
from tests.corpora import sample
from tests.needs import ROOT

LOG = """Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss.backward()
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity)
"""
OOM = "pytorch/cuda-out-of-memory-training"


FORM = "application/x-www-form-urlencoded"


class Site:
    """A Datasette and a loop of its own to ask it in."""

    def __init__(self, *paths: Path, **options: Any) -> None:
        self.datasette = Datasette([str(path) for path in paths], **options)
        self._runner = asyncio.Runner()

    def get(self, path: str, **options: Any) -> Response:
        return self.ask("GET", path, **options)

    def post(self, path: str, **options: Any) -> Response:
        return self.ask("POST", path, **options)

    def ask(self, method: str, path: str, **options: Any) -> Response:
        found: Response = self._runner.run(self.datasette.client.request(method, path, **options))
        return found

    def run(self, awaitable: Any) -> Any:
        """Run something else in the site's loop."""
        return self._runner.run(awaitable)

    def close(self) -> None:
        self._runner.close()
        for database in self.datasette.databases.values():
            database.close()
        if self.datasette.executor:
            self.datasette.executor.shutdown()


Open = Callable[..., Site]


@pytest.fixture
def open_site() -> Iterator[Open]:
    """Make sites that are closed at the end."""
    opened: list[Site] = []

    def make(*paths: Path, **options: Any) -> Site:
        opened.append(Site(*paths, **options))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture(scope="module")
def web(sample_db: Path) -> Iterator[Site]:
    """The sample's site, as `datasette errors.db` has it: no settings."""
    found = Site(sample_db)
    yield found
    found.close()


@pytest.fixture
def other_db(tmp_path: Path) -> Path:
    """A database that isn't ours."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "create table notes (id integer primary key, text); insert into notes (text) values ('one two'), ('two');"
            'create virtual table notes_fts using fts5 (text, content="notes", content_rowid="id");'
            "insert into notes_fts (notes_fts) values ('rebuild');"
        )
    return path


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


# Which database


def test_only_our_databases_have_our_routes(other_db: Path, open_site: Open) -> None:
    web = open_site(other_db)
    assert "Culdesac" not in web.get("/").text
    for path in ("/search", "/search.json?q=x", f"/entry/{OOM}", f"/entry/{OOM}.json", "/-/culdesac/culdesac.css"):
        assert web.get(path).status_code == 404
    assert "queries" not in web.get("/other.json").json() or not web.get("/other.json").json()["queries"]
    # Datasette's own box is as it was.
    assert len(web.get('/other/notes.json?_search="one+two"&_shape=array').json()) == 1


def test_several_databases(sample_db: Path, other_db: Path, tmp_path: Path, open_site: Open) -> None:
    odd = tmp_path / "odd name.v1 é+&'.db"
    shutil.copy(sample_db, odd)
    with closing(sqlite3.connect(odd)) as connection:
        connection.execute("update entries set signature = 'from the odd one: ' || signature")
        connection.commit()
    web = open_site(other_db, sample_db, odd)
    name = odd.stem
    asked = {"q": "CUDA out of memory"}

    def first(**more: str) -> str:
        signature: str = web.get("/search.json", params={**asked, **more}).json()["results"][0]["signature"]
        return signature

    assert not first().startswith("from the odd one")
    assert first(db=name).startswith("from the odd one")
    page = web.get("/search", params={**asked, "db": name}).text
    (address,) = set(re.findall(rf'<a href="(/entry/{OOM}[^"]*)"', page))
    assert "from the odd one" in web.get(address.replace("&amp;", "&")).text
    assert web.get("/search", params={"db": "other"}).status_code == 404
    assert web.get("/search.json?db=other").json()["ok"] is False
    configured = open_site(sample_db, odd, metadata={"plugins": {"culdesac": {"database": name}}})
    assert configured.get("/search.json", params=asked).json()["results"][0]["signature"].startswith("from the odd")
    assert web.get("/" + configured.datasette.urls.table(name, "entries").lstrip("/")).status_code == 200


def test_base_url(sample_db: Path, open_site: Open) -> None:
    web = open_site(sample_db, settings={"base_url": "/errors-here/"})
    posted = web.post("/search", data={"q": "cuda memory"})
    assert posted.headers["location"].startswith("/errors-here/search?")
    # The client puts the base address before each path.
    for path in ("/search?q=cuda+memory", f"/entry/{OOM}", "/"):
        page = web.get(path)
        assert page.status_code == 200
        addresses = re.findall(r'(?:href|action|src)="([^"]+)"', page.text)
        assert all(address.startswith(("/errors-here/", "https://", "#")) for address in addresses)


@pytest.mark.parametrize(
    "metadata",
    [
        {"allow": {"id": "root"}},
        {"databases": {"errors": {"allow": {"id": "root"}}}},
        {"databases": {"errors": {"tables": {"workarounds": {"allow": False}}}}},
    ],
)
def test_permissions_hold(sample_db: Path, metadata: dict[str, Any], open_site: Open) -> None:
    web = open_site(sample_db, metadata=metadata)
    for path in ("/search?q=cuda", "/search.json?q=cuda", f"/entry/{OOM}", f"/entry/{OOM}.json", f"/entry/{OOM}.md"):
        for more in ("", "&db=errors" if "?" in path else "?db=errors"):
            answer = web.get(path + more)
            assert answer.status_code == 403
            assert "memory" not in answer.text
    assert "Well documented errors" not in web.get("/").text
    if "allow" in metadata or "allow" in metadata["databases"]["errors"]:
        cookie = {"ds_actor": web.datasette.sign({"a": {"id": "root"}}, "actor")}
        headers = {"cookie": f"ds_actor={cookie['ds_actor']}"}
        assert web.get("/search.json?q=cuda", headers=headers).status_code == 200


@pytest.mark.parametrize("metadata", [{"allow": False}, {"databases": {"errors": {"allow": False}}}])
def test_a_refusal_is_a_page_of_ours(sample_db: Path, metadata: dict[str, Any], open_site: Open) -> None:
    web = open_site(sample_db, metadata=metadata)
    paths = ["/search?q=cuda", f"/entry/{OOM}", f"/entry/{OOM}.md", "/overview", f"/entry/{OOM}?db=errors"]
    for path in [*paths, *(["/"] if "allow" in metadata else [])]:
        answer = web.get(path)
        assert answer.status_code == 403
        assert "<h1>You may not see this database</h1>" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers
    assert "你无权查看这个数据库" in web.get("/search?q=cuda&lang=zh").text
    for path in ("/search.json?q=x", "/overview.json", f"/entry/{OOM}.json", "/entries.ndjson", "/sitemap.xml"):
        answer = web.get(path)
        assert answer.status_code == 403
        assert answer.json() == {"ok": False, "error": "not allowed to see this database"}
    # Datasette's own pages keep its own, and its internal database isn't one of ours.
    assert "Culdesac" not in web.get("/errors").text
    assert web.get("/search?q=x&db=_internal").status_code == 404


def test_a_plugin_that_leads_to_a_login_still_does(sample_db: Path, open_site: Open) -> None:
    class Login:
        __name__ = "login"

        @hookimpl
        def forbidden(self, request: Any) -> AsgiResponse | None:
            return None if "anonymous" in request.query_string else AsgiResponse.redirect("/-/login")

    web = open_site(sample_db, metadata={"allow": False})
    plugin = Login()
    pm.register(plugin, name="login")
    try:
        for path in ("/search?q=x", f"/entry/{OOM}", "/"):
            assert web.get(path).headers["location"] == "/-/login"
        assert "<h1>You may not see" in web.get("/search?q=x&anonymous=1").text
    finally:
        pm.unregister(plugin)


def test_a_sites_own_front_page_stays(sample_db: Path, tmp_path: Path, open_site: Open) -> None:
    (tmp_path / "index.html").write_text("mine", encoding="utf-8")
    assert open_site(sample_db, template_dir=str(tmp_path)).get("/").text == "mine"


def test_cors(sample_db: Path, open_site: Open) -> None:
    answer = open_site(sample_db, cors=True).get("/search.json?q=x")
    assert answer.headers["access-control-allow-origin"] == "*"


# Datasette's own pages


def rows(web: Site, path: str, **parameters: str) -> list[dict[str, Any]]:
    answer = web.get(path, params={"_shape": "array", **parameters})
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()
    return found


def test_the_view_is_ranked(web: Site) -> None:
    found = rows(web, "/errors/search.json", _search="cuda out of memory")
    assert OOM in [row["id"] for row in found[:3]]
    ranks = [row["rank"] for row in found]
    assert ranks == sorted(ranks)
    assert ranks[0] < 0
    page = web.get("/errors/search?_search=" + quote("显存不足怎么办"))
    assert page.status_code == 200
    assert 'value="显存不足怎么办"' in page.text
    assert "显存" in web.get("/errors/search.csv?_search=" + quote("显存")).text
    assert {"domain", "category", "resolvable", "os", "package"} <= set(facets(web, "/errors/search.json?_search=cuda"))
    narrowed = rows(web, "/errors/search.json", _search="cuda out of memory", domain="pytorch")
    assert {row["domain"] for row in narrowed} == {"pytorch"}


def facets(web: Site, address: str) -> dict[str, Any]:
    """The facets that Datasette's JSON has; 1.0 is asked for them, and puts them one deeper."""
    found: dict[str, Any] = web.get(f"{address}&_extra=facet_results").json()["facet_results"]
    return found["results"] if "timed_out" in found else found


def test_package_facet(web: Site) -> None:
    facet = facets(web, "/errors/entries.json?_search=cuda")["package"]
    assert facet["results"]
    for value in facet["results"]:
        address = value["toggle_url"].removeprefix("http://localhost")
        narrowed = web.get(f"{address}&_extra=count").json()
        assert narrowed.get("count", narrowed.get("filtered_table_rows_count")) == value["count"]
    both = facets(web, "/errors/entries.json?_package=torch&domain=pytorch")
    (torch,) = [one for one in both["package"]["results"] if one["value"] == "torch"]
    assert torch["selected"]
    assert "_package" not in torch["toggle_url"]
    assert web.get("/errors/versions.json?_facet_package=x").status_code == 200
    assert "package" in web.get("/errors/entries?_package=torch").text


def test_metadata_shows(web: Site) -> None:
    page = web.get("/errors").text
    assert "CC BY 4.0" in page
    tables = web.get("/errors.json").json()["tables"]
    assert {table["name"] for table in tables if not table["hidden"]} == set(TABLES) - {"search"}
    assert "The message by which the error is recognised." in web.get("/errors/entries").text
    # A foreign key to an entry reads as its signature, and an id leads to the entry's page.
    step = web.get("/errors/workarounds.json?_labels=on&_size=1").json()["rows"][0]
    assert len(step["entry"]["label"]) > 10
    assert f'<a href="/entry/{OOM}">{OOM}</a>' in web.get(f"/errors/entries?id={OOM}").text


def test_our_metadata_gives_way_to_the_sites(sample_db: Path, open_site: Open) -> None:
    mine = {"databases": {"errors": {"tables": {"entries": {"title": "Mine", "size": 3}}}}}
    web = open_site(sample_db, metadata=mine)
    for _ in range(2):
        answer = web.get("/errors/entries.json").json()
        assert len(answer["rows"]) == 3
        assert "Mine" in web.get("/errors/entries").text
    assert TABLES["entries"].title == "Entries"


def test_every_column_of_every_visible_table_is_described() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((ROOT / "db" / "schema.sql").read_text(encoding="utf-8"))
        listed = connection.execute("select name from sqlite_master where type in ('table', 'view')").fetchall()
        names = [name for (name,) in listed if "_fts" not in name and not name.startswith("sqlite_")]
        assert sorted(names) == sorted([*TABLES, *(name for name in HIDDEN if "_fts" not in name)])
        for name, table in TABLES.items():
            columns = [row[1] for row in connection.execute(f"pragma table_info({name})")]
            assert list(table.columns) == columns if name != "search" else set(table.columns) == set(columns)
            assert all(text.endswith(".") for text in table.columns.values())


# Any text


_TEXT = st.text(st.characters(codec="utf-8"), max_size=40) | st.lists(
    st.sampled_from(
        ['"', "'", "NEAR", "NEAR(", "AND", "OR", "NOT", "*", "^", "signature:", "{a b}:", "(", ")", "+", "-", "\0",
         "cuda", "显存", "不足", "記憶體", "ＣＵＤＡ", "%", ";", "--", "\\", "\n", "é", "\u200b", "😀", ":q", "?1"]
    ),
    max_size=8,
).map(" ".join)  # fmt: skip
# As long as this client lets an address be.
LONG = ("x" * 60_000, "显存不足 " * 1_600, " ".join(f"word{number} cuda{number}" for number in range(3_000)))
_BOXES = [
    ("/search", "q"),
    ("/search.json", "q"),
    ("/errors/entries", "_search"),
    ("/errors/search", "_search"),
    ("/errors/workarounds", "_search"),
    ("/errors/dead_ends", "_search"),
    ("/errors/search_keywords", "q"),
    ("/errors/search_zh", "q"),
    ("/errors/entries", "_search_signature"),
]


@pytest.mark.parametrize(("path", "name"), _BOXES)
@given(text=_TEXT)
@example(text="")
@example(text='"')
@example(text="\0")
@example(text='NEAR("a" "b", 2)')
@example(text="signature: x")
@example(text=LONG[0])
@example(text=LONG[1])
@example(text=LONG[2])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_text_in_any_box_is_an_error(web: Site, path: str, name: str, text: str) -> None:
    answer = web.get(path, params={name: text, "_nofacet": "1"})
    assert answer.status_code == 200
    if path.startswith("/search"):
        times = 200_000 // len(text) if text in LONG else 1
        assert web.post(path, data={"q": text * times}).status_code in (200, 303)


@given(text=_TEXT | st.binary(max_size=20) | st.integers(0, 9) | st.none())
@example(text=b"\xff")
@example(text=None)
def test_escape_fts_gives_an_expression_for_any_value(sample_db: Path, text: object) -> None:
    with closing(sqlite3.connect(f"file:{sample_db}?mode=ro", uri=True)) as connection:
        boxes.prepare(connection)
        for table in ("entries_fts", "workarounds_fts", "dead_ends_fts"):
            connection.execute(f"select count(*) from {table} where {table} match escape_fts(?)", [text]).fetchone()


def test_a_strangers_connection_keeps_its_own_function(other_db: Path) -> None:
    with closing(sqlite3.connect(other_db)) as connection:
        connection.create_function("escape_fts", 1, lambda text: "theirs")
        boxes.prepare(connection)
        assert connection.execute("select escape_fts('x')").fetchone() == ("theirs",)


def test_marks_are_joined_and_escaped() -> None:
    assert marked("a <b> c", [(0, 1), (3, 4)]) == "<mark>a &lt;b</mark>&gt; c"
    assert marked("a x b", [(0, 1), (4, 5)]) == "<mark>a</mark> x <mark>b</mark>"
    assert marked("<a>", []) == "&lt;a&gt;"
    assert marked("显存不足", [(0, 2)]) == "<mark>显存</mark>不足"
    assert inline("use `a <b>` or\n`c", 50) == "use <code>a &lt;b&gt;</code> or `c"
    assert inline("one two three", 9) == "one two…"
    assert inline("显" * 20, 5) == "显" * 5 + "…"
    assert [percent(rate) for rate in (0.5, 1, 7.0, None, -1)] == ["50%", "100%", None, None, None]


# A file that is replaced, and the server


@pytest.mark.parametrize("threads", [0, 3])
@pytest.mark.parametrize("immutable", [False, True])
def test_a_replaced_file_is_noticed(sample_db: Path, tmp_path: Path, threads: int, immutable: bool) -> None:
    path = tmp_path / "errors.db"
    shutil.copy(sample_db, path)
    options: dict[str, Any] = {"settings": {"num_sql_threads": threads}}
    web = Site(**options, immutables=[str(path)]) if immutable else Site(path, **options)

    def seen() -> tuple[str, str, str]:
        (row,) = rows(web, "/errors/entries.json", id=OOM)
        return (row["root_cause"], web.get(f"/entry/{OOM}.json").json()["root_cause"], web.get(f"/entry/{OOM}").text)

    try:
        # Our middleware is made with the app: keep one, as a server does.
        app = web.datasette.app()
        web.datasette.app = lambda: app
        before = seen()
        new = tmp_path / "new.db"
        shutil.copy(path, new)
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("update entries set root_cause = 'replaced' where id = ?", [OOM])
            connection.commit()
        os.replace(new, path)
        after = seen()
        assert before[0] == before[1] != "replaced"
        assert after[:2] == ("replaced", "replaced")
        assert "replaced" in after[2]
        assert web.get("/errors/entries?_search=memory").status_code == 200
        path.unlink()
        assert web.get("/search.json?q=x").status_code in (404, 503)
    finally:
        web.close()


def test_serve_answers_at_the_address_that_it_says(sample_db: Path) -> None:
    said: list[str] = []
    ready = threading.Event()

    def heard(address: str) -> None:
        said.append(address)
        ready.set()

    # Signals are the main thread's; a daemon ends with the tests.
    threading.Thread(target=serve, args=(sample_db,), kwargs={"port": 0, "ready": heard}, daemon=True).start()
    assert ready.wait(30)
    (address,) = said
    assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+/", address)
    with urllib.request.urlopen(
        f"{address}errors/entries.json?_search={quote('显存 ' * 20_000)}", timeout=30
    ) as answer:
        assert answer.status == 200
    port = int(address.rstrip("/").rpartition(":")[2])
    with pytest.raises(OSError, match=r"^address already in use$"):
        serve(sample_db, port=port, ready=pytest.fail)


@pytest.mark.parametrize(("host", "port"), [("256.0.0.1", 0), ("127.0.0.1", 99_999), ("a" * 300, 0)])
def test_serve_says_in_one_line_why_it_cant(sample_db: Path, host: str, port: int) -> None:
    with pytest.raises(OSError, match=r"^[a-z]") as caught:
        serve(sample_db, host=host, port=port, ready=pytest.fail)
    assert "\n" not in str(caught.value)


def test_serve_refuses_what_isnt_ours(other_db: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError):
        site(other_db)
    with pytest.raises(FileError):
        site(tmp_path / "none.db")


def test_no_sql_of_ours_is_missing() -> None:
    """The statements that the web borrows from the engine."""
    folder = SqlFolder(ROOT / "queries" / "engine")
    assert all(folder(name) for name in ("entry_count", "folds", "about"))


@pytest.mark.parametrize(
    "path", ["/?lang=zh&db=errors", "/overview?lang=zh&db=errors", f"/entry/{OOM}?lang=zh&db=errors"]
)
def test_links_of_a_page_keep_its_database_and_language(web: Site, path: str) -> None:
    page = web.get(path).text
    for where in ("/", "/search", "/overview"):
        assert f'href="{where}?lang=zh&amp;db=errors"' in page
