"""The API as programs and caches see it: its description against what it does, validators, methods, other sites."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import xml.etree.ElementTree as ET
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from datasette.utils import StartupError

from culdesac.plugins.web import signposts
from culdesac.plugins.web.exchange import Asked
from culdesac.plugins.web.labels import preferred
from culdesac.plugins.web.options import SWITCHED, Options
from tests.corpora import sample
from tests.needs import ROOT
from tests.sites import OOM, Open, Site

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
#: Every address of ours, one of each kind.
PAGES = ("/?lang=en", "/search?q=cuda", "/overview", f"/entry/{OOM}", f"/entry/{OOM}?lang=zh")
API = ("/search.json?q=cuda", f"/entry/{OOM}.json", "/overview.json", "/openapi.json", "/entries.ndjson",
       "/robots.txt", "/sitemap.xml", "/llms.txt", "/feed.atom")  # fmt: skip
KEPT = (*PAGES, *API, f"/entry/{OOM}.md")


@pytest.fixture
def copy(sample_db: Path, tmp_path: Path) -> Path:
    """The sample's file, to be changed."""
    path = tmp_path / "errors.db"
    shutil.copy(sample_db, path)
    return path


def configured(**options: Any) -> dict[str, Any]:
    """A site's metadata with these settings of the plugin."""
    return {"metadata": {"plugins": {"culdesac": options}}}


# The description


def test_the_description_lists_every_address(web: Site, open_site: Open, sample_db: Path) -> None:
    paths = web.get("/openapi.json").json()["paths"]
    assert {"/entry/{domain}/{slug}/{environment}.json", "/entry/{domain}/{slug}.md", "/search.json"} <= set(paths)
    for address in KEPT:
        path = urlsplit(address).path.replace(OOM, "{domain}/{slug}")
        assert path in paths
    fewer = open_site(sample_db, **configured(feed=False, dump=False)).get("/openapi.json").json()["paths"]
    assert set(paths) - set(fewer) == {"/feed.atom", "/entries.ndjson"}


# What stands for programs


def test_the_dump_is_every_document(web: Site) -> None:
    answer = web.get("/entries.ndjson")
    assert answer.headers["content-type"] == "application/x-ndjson; charset=utf-8"
    found = {document["id"]: document for document in map(json.loads, answer.text.splitlines())}
    assert found == {document["id"]: document for document in sample()}
    assert web.get("/entries.ndjson?dialect=flat").text == answer.text
    assert web.get("/entries.ndjson?dialect=x").json() == {"ok": False, "error": "dialect: expected own or flat"}


def test_the_feed_has_the_newest_first(copy: Path, open_site: Open) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        dates = ["2031-01-01", "2030-12-31T23:00:00+05:00", "9999-99-99", "yesterday", "", "1999-12-31"]
        for pk, date in enumerate(dates, 1):
            connection.execute("update entries set last_updated = ? where pk = ?", [date, pk])
        connection.execute("update entries set root_cause = 'a \x01 \x1b[0m & <b>' || char(0xffff) where pk = 1")
        connection.commit()
    web = open_site(copy)
    answer = web.get("/feed.atom")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    root = ET.fromstring(answer.text)
    moments = [entry.findtext(f"{ATOM}updated") for entry in root.findall(f"{ATOM}entry")]
    assert moments[:2] == ["2031-01-01T00:00:00Z", "2030-12-31T18:00:00Z"]
    assert root.findtext(f"{ATOM}updated") == moments[0]
    assert root.findtext(f"{ATOM}entry/{ATOM}summary") == "a � �[0m & <b>�"
    for entry in root.findall(f"{ATOM}entry"):
        address = entry.findtext(f"{ATOM}id")
        assert address
        assert web.get(address.removeprefix("http://localhost")).status_code == 200
    assert (
        ET.fromstring(web.get("/feed.atom?lang=zh").text).get("{http://www.w3.org/XML/1998/namespace}lang") == "zh-CN"
    )


def test_the_site_map_has_every_page(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def addresses(path: str) -> list[str]:
        return [one.text or "" for one in ET.fromstring(web.get(path).text).iter(f"{MAP}loc")]

    whole = addresses("/sitemap.xml")
    assert whole[:2] == ["http://localhost/", "http://localhost/overview"]
    assert {one.removeprefix("http://localhost/entry/") for one in whole[2:]} == {one["id"] for one in sample()}
    monkeypatch.setattr(signposts, "_IN_MAP", 50)
    maps = addresses("/sitemap.xml")
    assert [one.partition("?")[2] for one in maps] == ["page=1", "page=2", "page=3"]
    assert [one for part in maps for one in addresses(part.removeprefix("http://localhost"))] == whole
    assert web.get("/sitemap.xml?page=4").status_code == 404
    assert web.get("/sitemap.xml?page=0").status_code == 400


def test_robots_and_language_models_are_told(web: Site, open_site: Open, sample_db: Path) -> None:
    robots = web.get("/robots.txt").text.splitlines()
    assert robots[0] == "User-agent: *"
    assert "Disallow: /search" in robots
    assert "Sitemap: http://localhost/sitemap.xml" in robots
    told = web.get("/llms.txt").text
    assert told.startswith("# Culdesac\n\n> ")
    assert "(http://localhost/openapi.json)" in told
    assert "120 entries" in told
    private = open_site(sample_db, metadata={"allow": {"id": "root"}})
    assert private.get("/robots.txt").text == "User-agent: *\nDisallow: /\n"
    for path in ("/llms.txt", "/sitemap.xml", "/feed.atom", "/entries.ndjson", "/overview.json"):
        answer = private.get(path)
        assert (answer.status_code, answer.json()["ok"]) == (403, False)
        assert "memory" not in answer.text


def test_each_can_be_switched_off(sample_db: Path, open_site: Open) -> None:
    off = open_site(sample_db, **configured(**dict.fromkeys(SWITCHED, False), cors=True))
    on = open_site(sample_db)
    for path in ("/robots.txt", "/sitemap.xml", "/llms.txt", "/feed.atom", "/entries.ndjson", "/openapi.json"):
        assert on.get(path).status_code == 200
        for given in (path, f"{path}?lang=zh"):
            answer = off.get(given)
            assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
            assert answer.json() == {"ok": False, "error": "this site has switched this address off"}
            assert answer.headers["access-control-allow-origin"] == "*"
        assert (off.ask("HEAD", path).status_code, off.ask("HEAD", path).content) == (404, b"")
    assert "feed.atom" not in off.get("/?lang=en").text


def test_an_address_that_is_off_is_free_for_others(sample_db: Path, tmp_path: Path, open_site: Open) -> None:
    with closing(sqlite3.connect(tmp_path / "openapi.db")) as connection:
        connection.execute("create table notes (id integer primary key)")
    off = open_site(sample_db, tmp_path / "openapi.db", **configured(openapi=False))
    assert off.get("/openapi.json").json()["database"] == "openapi"


@pytest.mark.parametrize("options", [{"feed": "no"}, {"typo": True}, {"cache_seconds": -1}, {"cors": [1]}])
def test_settings_that_mean_nothing_are_refused(sample_db: Path, open_site: Open, options: dict[str, Any]) -> None:
    with pytest.raises(StartupError, match=r"^plugins\.culdesac: [^\n]+$"):
        open_site(sample_db, **configured(**options)).get("/")


# Caches


@pytest.mark.parametrize("path", KEPT)
def test_what_the_client_has_isnt_sent_again(web: Site, path: str) -> None:
    first = web.get(path)
    assert first.status_code == 200
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "public, max-age=5"
    assert first.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in first.headers
    for given in (tag, f'"other", {tag}', tag.removeprefix("W/")):
        again = web.get(path, headers={"if-none-match": given})
        assert (again.status_code, again.text, again.headers["etag"]) == (304, "", tag)
        assert again.headers["cache-control"] == first.headers["cache-control"]
    assert web.get(path, headers={"if-none-match": 'W/"other"'}).text == first.text


def test_tags_differ_by_all_that_a_page_is_made_of(web: Site, copy: Path, open_site: Open) -> None:
    def tag(site: Site, path: str = f"/entry/{OOM}", **headers: str) -> str:
        return str(site.get(path, headers=headers).headers["etag"])

    known = [tag(web, path) for path in KEPT]
    assert len(set(known)) == len(KEPT)
    assert tag(web, host="example.org") != tag(web)
    before = tag(open_site(copy))
    assert before == tag(open_site(copy))
    assert before != tag(open_site(copy, **configured(cors=True)))
    assert before != tag(open_site(copy, settings={"base_url": "/x/"}))
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("update entries set root_cause = 'new' where id = ?", [OOM])
        connection.commit()
    os.utime(copy, (0, 0))
    assert before != tag(open_site(copy))


def test_errors_and_posts_arent_kept(web: Site) -> None:
    for answer in (
        web.get("/search.json?n=x"),
        web.get("/entry/no/such"),
        web.post("/search.json", json={"q": "cuda"}),
        web.ask("DELETE", "/overview"),
    ):
        assert answer.headers["cache-control"] == "no-store"
        assert "etag" not in answer.headers


def test_lifetimes_are_the_sites(sample_db: Path, open_site: Open) -> None:
    path = f"/entry/{OOM}"
    assert open_site(sample_db, **configured(cache_seconds=300)).get(path).headers["cache-control"].endswith("=300")
    assert open_site(sample_db, **configured(cache_seconds=0)).get(path).headers["cache-control"] == "public, no-cache"
    web = open_site(sample_db, settings={"default_cache_ttl": 60}, metadata={"allow": {"id": "root"}})
    headers = {"cookie": f"ds_actor={web.datasette.sign({'a': {'id': 'root'}}, 'actor')}"}
    answer = web.get(path, headers=headers)
    assert (answer.status_code, answer.headers["cache-control"].partition(",")[0]) == (200, "private")
    # The tag of one who may see it is of no use to one who may not.
    assert web.get(path, headers={"if-none-match": answer.headers["etag"]}).status_code == 403


# Methods, and pages of other sites


@pytest.mark.parametrize("path", KEPT)
def test_head_is_get_without_the_body(web: Site, path: str) -> None:
    got, head = web.get(path), web.ask("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == got.headers["etag"]
    assert head.headers["content-type"] == got.headers["content-type"]
    if "content-length" in head.headers:
        assert int(head.headers["content-length"]) == len(got.content)


@pytest.mark.parametrize("path", [*KEPT, "/-/culdesac/culdesac.css"])
def test_other_methods_get_405(web: Site, path: str) -> None:
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"):
        answer = web.ask(method, path)
        assert answer.status_code == 405
        allowed = answer.headers["allow"].split(", ")
        assert set(allowed) == ({"GET", "HEAD", "POST"} if path.startswith("/search") else {"GET", "HEAD"})
        if path in API:
            assert answer.json() == {"ok": False, "error": f"{method} isn't allowed here"}


def test_pages_of_other_sites_may_ask_where_they_are_let(sample_db: Path, open_site: Open) -> None:
    asked = {"origin": "https://a.example", "access-control-request-method": "POST"}
    closed, everyone = open_site(sample_db), open_site(sample_db, **configured(cors=True))
    some = open_site(sample_db, **configured(cors=["https://a.example"]))
    for path in API:
        assert "access-control-allow-origin" not in closed.get(path, headers=asked).headers
        assert everyone.get(path).headers["access-control-allow-origin"] == "*"
        preflight = everyone.ask("OPTIONS", path, headers=asked)
        assert (preflight.status_code, preflight.text) == (204, "")
        assert "Content-Type" in preflight.headers["access-control-allow-headers"]
        assert "GET" in preflight.headers["access-control-allow-methods"]
        found = some.get(path, headers=asked).headers
        assert found["access-control-allow-origin"] == "https://a.example"
        assert "Origin" in found["vary"]
        assert "access-control-allow-origin" not in some.get(path, headers={"origin": "https://b.example"}).headers
    assert everyone.get("/search.json?n=x").headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in everyone.get("/overview").headers


def test_the_front_page_alone_goes_by_the_readers_language(web: Site) -> None:
    chinese = {"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}
    answer = web.get("/", headers=chinese)
    assert (answer.status_code, answer.headers["location"]) == (302, "/?lang=zh")
    assert "accept-language" in answer.headers["vary"]
    assert '<html lang="en">' in web.get("/?lang=en", headers=chinese).text
    assert '<html lang="en">' in web.get("/search?q=cuda", headers=chinese).text
    assert web.get("/", headers={"accept-language": "en,zh;q=0.5"}).status_code == 200
    assert [preferred(text) for text in ("", "fr", "zh-TW", "zh;q=0.2, en;q=0.1", "zh;q=x", "zh;q=0")] == [
        "en", "en", "zh", "zh", "en", "en"
    ]  # fmt: skip


def test_every_address_and_setting_is_documented(web: Site) -> None:
    documented = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    for name in Options.__struct_fields__:
        assert f"`{name}`" in documented
    for path in web.get("/openapi.json").json()["paths"]:
        assert f"`{path}" in documented or path.startswith("/entry/")
    for name in Asked.__slots__:
        assert re.search(rf"`[?]?{name}[`=]", documented)
