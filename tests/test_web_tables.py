"""Datasette's own pages with our file, and any text in any box."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from culdesac.db.sql import SqlFolder
from culdesac.plugins.web import boxes
from culdesac.plugins.web.columns import HIDDEN, TABLES
from culdesac.plugins.web.texts import inline, marked, percent
from tests.needs import ROOT
from tests.sites import OOM, Open, Site, facets, rows

# Datasette's own pages


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


def test_no_sql_of_ours_is_missing() -> None:
    """The statements that the web borrows from the engine."""
    folder = SqlFolder(ROOT / "queries" / "engine")
    assert all(folder(name) for name in ("entry_count", "folds", "about"))
