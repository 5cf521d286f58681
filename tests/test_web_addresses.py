"""Every id has an address: for its page, its JSON and its Markdown, whatever characters it is made of."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from culdesac.plugins.web.links import entry_path, read, written
from tests.sites import OOM, Open, Site

_ODD = st.sampled_from(
    ["/", ".", "..", " ", "%", "~", "~2E", "%2E", ".json", ".md", "?", "#", "&", "+", "é", "显存", "\\", "a"]
)
IDS = st.one_of(st.text(st.characters(codec="utf-8"), min_size=1), st.lists(_ODD, min_size=1, max_size=8).map("".join))
ODD = (
    "node/package", "node/package.json", "node/package.json.json", "node/package.md", "node/package.json.md", ".json",
    "a/b", "a/b/", "a//b", "/a/b", "a/./b", "a/../b", "..", "a/~user", "a/~2E", "a/%2E%2e", "a/b c", "a/b?c#d&e=f+g",
    "a/显存/é", "a/\\b", "a/b.JSON", "json", "md", "a/json", "~", "~7E", "a/b;c,d:e@f", "search", "a/.json", "a/...md",
)  # fmt: skip


@given(IDS)
@example("~7E2E")
@example("a/..json")
def test_an_id_is_read_back(entry_id: str) -> None:
    path = written(entry_id)
    assert read(unquote(path)) == entry_id
    # Neither a client that resolves it nor a server that decodes and encodes it again changes which id it is.
    assert urljoin("https://example.org/entry/x", f"/entry/{path}") == f"https://example.org/entry/{path}"
    assert read(unquote(quote(unquote(path)))) == entry_id
    assert "//" not in f"/{path}/"
    assert not path.endswith((".json", ".md"))


@given(st.lists(IDS, min_size=2, max_size=2, unique=True), st.sampled_from(["", ".json", ".md"]))
def test_no_two_share_an_address(ids: list[str], suffix: str) -> None:
    addresses = [written(entry_id) + end for entry_id in ids for end in ("", ".json", ".md")]
    assert len(set(addresses)) == 6


@pytest.fixture(scope="module")
def web(sample_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose entries have odd ids."""
    path = tmp_path_factory.mktemp("odd") / "errors.db"
    shutil.copy(sample_db, path)
    with closing(sqlite3.connect(path)) as connection:
        for pk, entry_id in enumerate(ODD, 1):
            connection.execute("update entries set id = ?, error_id = ? where pk = ?", (entry_id, entry_id, pk))
        connection.commit()
    found = Site(path)
    yield found
    found.close()


@pytest.mark.parametrize("entry_id", ODD)
def test_every_id_has_its_three_forms(web: Site, entry_id: str) -> None:
    path = entry_path(web.datasette, entry_id)
    assert web.get(f"{path}.json").json()["id"] == entry_id
    page = web.get(path)
    assert page.status_code == 200
    assert f'href="{path}.json"' in page.text
    markdown = web.get(f"{path}.md")
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert entry_id.replace("\\", "") in markdown.text.replace("\\", "")


@pytest.mark.parametrize("name", ["entry", "search", "overview", "openapi"])
@pytest.mark.parametrize("ours", [True, False])
def test_a_file_that_is_called_like_a_page_of_ours(
    sample_db: Path, tmp_path: Path, open_site: Open, name: str, ours: bool
) -> None:
    """Its tables and rows are found by links, beside our pages; its name stays."""
    named, table = tmp_path / f"{name}.db", "entries" if ours else "notes"
    if ours:
        shutil.copy(sample_db, named)
    else:
        with closing(sqlite3.connect(named)) as connection:
            connection.executescript("create table notes (id integer primary key); insert into notes values (1)")
    # The address that would be next is another file's.
    with closing(sqlite3.connect(tmp_path / f"{name}_2.db")) as connection:
        connection.execute("create table second (id integer primary key)")
    site = open_site(named, tmp_path / f"{name}_2.db", *(() if ours else (sample_db,)))

    def follow(page: Any, suffix: str) -> Any:
        links = [link.attributes["href"] or "" for link in LexborHTMLParser(page.text).css("a[href]")]
        found = next(link for link in links if link.partition("?")[0].endswith(suffix))
        answer = site.get(found)
        assert answer.status_code == 200, found
        return answer

    database = follow(site.get("/?lang=en"), f"/{name}_3")
    assert site.get(f"/{name}_3.json").json()["database"] == name
    assert "second" in site.get(f"/{name}_2").text
    follow(follow(database, f"/{name}_3/{table}"), f"/{name}_3/{table}/1")
    assert site.get(f"/{name}_3/{table}.json?_shape=array").json()
    for page in ("/search?q=cuda", "/overview", f"/entry/{OOM}", "/openapi.json"):
        assert site.get(page).status_code == 200
    if ours:
        assert "tables.css" in database.text
        assert site.get(f"/search.json?q=cuda&db={name}").json()["results"]
        assert 'lang="zh-CN"' in site.get(f"/{name}_3/{table}?_lang=zh").text


def test_where_nothing_is_ours_names_are_free(tmp_path: Path, open_site: Open) -> None:
    with closing(sqlite3.connect(tmp_path / "search.db")) as connection:
        connection.execute("create table notes (id integer primary key)")
    assert "notes" in open_site(tmp_path / "search.db").get("/search").text


def test_a_suffix_that_leaves_no_doubt_is_part_of_the_id(web: Site) -> None:
    """As someone writes it who doesn't know about tildes."""
    assert 'href="/entry/a/json.json"' in web.get("/entry/a/json").text
    assert web.get("/entry/node/package.json").json()["id"] == "node/package"
    assert web.get("/entry/node/package.json.json").json()["id"] == "node/package.json"
    assert 'href="/entry/a/..~2Emd.json"' in web.get("/entry/a/...md").text
    assert "node/package.json.md" in web.get("/entry/node/package.json.md.md").text
