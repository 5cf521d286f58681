"""Every id has an address: for its page, its JSON and its Markdown, whatever characters it is made of."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from culdesac.plugins.web.links import entry_path, read, written
from tests.test_web import Site

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


def test_a_suffix_that_leaves_no_doubt_is_part_of_the_id(web: Site) -> None:
    """As someone writes it who doesn't know about tildes."""
    assert 'href="/entry/a/json.json"' in web.get("/entry/a/json").text
    assert web.get("/entry/node/package.json").json()["id"] == "node/package"
    assert web.get("/entry/node/package.json.json").json()["id"] == "node/package.json"
    assert 'href="/entry/a/..~2Emd.json"' in web.get("/entry/a/...md").text
    assert "node/package.json.md" in web.get("/entry/node/package.json.md.md").text
