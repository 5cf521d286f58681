"""The queries for people: in Python's sqlite3, in the sqlite3 shell as they are, and as canned queries."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from culdesac.queries.shipped import Shipped, shipped
from tests.corpora import sample
from tests.needs import ROOT, program, shared

QUERIES = {query.name: query for query in shipped()}
OOM = "pytorch/cuda-out-of-memory-training"
_ODD: tuple[object, ...] = (
    None, "", "'", '"', "\0", "a\0b", "%", "NEAR(", "-1", "1e99", 0, -5, 2**62, 1.5, b"\xff\x00", "😀", "显存",
    "x" * 1_000_000, "显" * 300_000,
)  # fmt: skip


@pytest.fixture
def file(sample_db: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{sample_db}?mode=ro", uri=True)) as connection:
        yield connection


def run(file: sqlite3.Connection, name: str, **given: object) -> list[tuple[object, ...]]:
    """Run a query; what isn't given is NULL, as in the shell."""
    query = QUERIES[name]
    return file.execute(query.sql, dict.fromkeys(query.parameters) | given).fetchall()


def plan(file: sqlite3.Connection, name: str) -> list[str]:
    """How SQLite runs a query, a line a step."""
    query = QUERIES[name]
    rows = file.execute(f"explain query plan {query.sql}", dict.fromkeys(query.parameters))
    return [row[3] for row in rows]


def test_there_they_are() -> None:
    assert sorted(QUERIES) == [
        "best_workarounds", "confused_with", "data_problems", "dead_ends_by_domain", "domains", "entry", "packages",
        "search_keywords", "search_zh", "whats_new",
    ]  # fmt: skip


@pytest.mark.parametrize("query", shipped(), ids=lambda query: query.name)
def test_each_says_what_it_does_and_how_to_call_it(query: Shipped) -> None:
    lines = query.sql.strip().splitlines()
    assert lines[0] == f"-- title: {query.title}"
    assert lines[1] == f"-- title_zh: {query.title_zh}"
    assert re.search("[\u4e00-\u9fff]", query.title_zh)
    comments = "\n".join(line for line in lines if line.startswith("--"))
    for parameter in query.parameters:
        assert f".param set :{parameter} " in comments
    assert query.sql.endswith(";\n")
    # Nothing newer than 3.35.
    assert not re.search(
        r"->|unixepoch|iif\(|string_agg|concat\(|RETURNING|\bRIGHT JOIN|FULL JOIN",
        query.sql.replace("group_concat(", ""),
    )


def test_none_hides_a_table_or_view_of_its_name(file: sqlite3.Connection) -> None:
    """Datasette looks for a canned query before it looks for a table."""
    names = {name for (name,) in file.execute("select name from sqlite_master")}
    assert not names & set(QUERIES)


@pytest.mark.parametrize("value", _ODD, ids=lambda value: ascii(value)[:12])
@pytest.mark.parametrize("name", QUERIES)
def test_any_value_of_any_parameter(file: sqlite3.Connection, name: str, value: object) -> None:
    for parameter in QUERIES[name].parameters:
        rows = run(file, name, **{parameter: value})
        assert len(rows) <= 10_000
        run(file, name, **dict.fromkeys(QUERIES[name].parameters, value))


@given(text=st.text(max_size=60))
@example(text="显存不足" * 200)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_can_be_searched(file: sqlite3.Connection, text: str) -> None:
    for name in ("search_keywords", "search_zh"):
        assert len(run(file, name, q=text)) <= 10


def test_search_keywords(file: sqlite3.Connection) -> None:
    rows = run(file, "search_keywords", q="CUDA out-of-memory, tried to allocate GiB!")
    assert rows[0][0] == OOM
    scores = [row[-1] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert len(rows) == 10
    assert len(run(file, "search_keywords", q="cuda", limit="3")) == 3
    assert {row[2] for row in run(file, "search_keywords", q="cuda memory", domain="pytorch")} == {"pytorch"}
    assert run(file, "search_keywords", q="nosuchwordatall") == []


def test_search_zh(file: sqlite3.Connection) -> None:
    rows = run(file, "search_zh", q="显存不足怎么办")
    assert OOM in [row[0] for row in rows[:3]]
    assert any("【显存不足】" in str(row[1]) for row in rows)
    assert [row[0] for row in run(file, "search_zh", q="顯存不足怎麼辦")] == [row[0] for row in rows]
    assert [row[0] for row in run(file, "search_zh", q="ＣＵＤＡ 显存")] == [
        row[0] for row in run(file, "search_zh", q="cuda显存")
    ]
    originals = {row["id"]: row for row in sample()}
    for row in rows:
        document = originals[str(row[0])]
        # Marks are all that is added to the original.
        assert (
            re.sub("[【】]", "", str(row[1]))
            == re.sub("[【】]", "", document.get("signature_zh") or document["signature"])[:300]
        )
    # A Latin word is marked only as a whole.
    assert not any("【e】" in str(row[1]) for row in run(file, "search_zh", q="e 显存"))


def test_search_zh_finds_as_much_as_the_engine(corpus_db: Path) -> None:
    """Plain SQL, measured as in reference/chinese.md: recall@10 was .87 there."""
    questions = [json.loads(line) for line in shared("eval/lookup_zh.jsonl").read_text(encoding="utf-8").splitlines()]
    found = []
    with closing(sqlite3.connect(corpus_db)) as file:
        for question in filter(lambda question: question["relevant"], questions):
            rows = {row[0] for row in run(file, "search_zh", q=question["query"])}
            found.append(len(rows & set(question["relevant"])) / len(question["relevant"]))
    assert sum(found) / len(found) > 0.85


def test_dead_ends_and_workarounds(file: sqlite3.Connection) -> None:
    dead_ends = run(file, "dead_ends_by_domain", domain="docker")
    assert {row[0] for row in dead_ends} == {"docker"}
    rates = [row[4] for row in dead_ends]
    assert rates == sorted(rates, reverse=True)
    best = run(file, "best_workarounds", limit=5)
    assert len(best) == 5
    assert best[0][4] == max(row[4] for row in run(file, "best_workarounds", limit=1000))


def test_entry(file: sqlite3.Connection) -> None:
    rows = run(file, "entry", id=OOM)
    document = next(document for document in sample() if document["id"] == OOM)
    parts = [row[0] for row in rows]
    assert parts[:4] == ["id", "signature", "root cause", "resolvable"]
    assert parts.count("workaround") == len(document["workarounds"])
    assert parts.count("dead end") == len(document["dead_ends"])
    assert run(file, "entry", id="no/such") == []


def test_the_others(file: sqlite3.Connection) -> None:
    assert sum(row[1] for row in run(file, "domains")) == 120
    assert all(str(row[0]).startswith("to") for row in run(file, "packages", prefix="to"))
    assert len(run(file, "packages")) > len(run(file, "packages", prefix="to")) > 0
    dates = [row[0] for row in run(file, "whats_new")]
    assert dates == sorted(dates, reverse=True)
    assert run(file, "whats_new", since="9999") == []
    problems = run(file, "data_problems", limit=10_000)
    assert len(problems) == file.execute("select count(*) from problems").fetchone()[0]
    if problems:
        assert {row[1] for row in run(file, "data_problems", code=problems[0][1])} == {problems[0][1]}


def test_confused_with(corpus_db: Path) -> None:
    with closing(sqlite3.connect(corpus_db)) as file:
        pairs = run(file, "confused_with")
        assert len(pairs) == 100
        assert {row[0] for row in run(file, "confused_with", id=pairs[0][0])} == {pairs[0][0]}
        assert {row[5] for row in run(file, "confused_with", limit=1000)} <= {0, 1}


def test_searches_never_read_all_terms(corpus_db: Path) -> None:
    """A join over `terms` gets a Bloom filter, which reads the whole table."""
    with closing(sqlite3.connect(corpus_db)) as file:
        for name in ("search_keywords", "search_zh"):
            steps = plan(file, name)
            assert any(step.startswith("SEARCH terms USING PRIMARY KEY (term=?)") for step in steps)
            assert not [step for step in steps if re.match("SCAN (terms|folds|entries|workarounds)$|BLOOM", step)]


@pytest.mark.parametrize("name", ["entry", "confused_with", "dead_ends_by_domain", "best_workarounds", "packages"])
def test_look_ups_use_an_index(corpus_db: Path, name: str) -> None:
    with closing(sqlite3.connect(corpus_db)) as file:
        tables = "entries|versions|workarounds|dead_ends|transitions|environments|tags|aliases|os_notes|problems"
        assert not [step for step in plan(file, name) if re.match(rf"SCAN ({tables})$|BLOOM", step)]


# In the shell


def shell(db: Path, script: str) -> str:
    """What the sqlite3 shell prints. It takes the file read-only and stops at the first error."""
    command = [program("sqlite3"), "-batch", "-bail", "-readonly", str(db)]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("query", shipped(), ids=lambda query: query.name)
def test_it_runs_in_the_shell_as_it_is(sample_db: Path, query: Shipped) -> None:
    shell(sample_db, query.sql)
    # And with what its own comments say to set.
    calls = re.findall(r"^--\s+(\.param set :\w+ (?:\"[^\"]*\"|\S+))", query.sql, re.M)
    assert len(calls) == len(query.parameters)
    shell(sample_db, "\n".join([*calls, query.sql]))


def test_the_file_brings_its_queries(sample_db: Path) -> None:
    """A mailed file is enough: `select sql from queries` is what to run."""
    sql = shell(sample_db, ".mode list\nselect sql from queries where name = 'search_zh';\n")
    assert sql.strip() == QUERIES["search_zh"].sql.strip()
    assert OOM in shell(sample_db, f".param set :q \"'显存不足'\"\n{sql}")


def test_the_files_are_read_by_the_shell(sample_db: Path) -> None:
    """As docs/schema.md says: as an argument a file would be an option, for it begins with a comment."""
    path = ROOT / "queries" / "search_zh.sql"
    assert OOM in shell(sample_db, f".param set :q 显存不足\n.read '{path}'\n")


# In Datasette


def test_canned_queries(sample_db: Path) -> None:
    async def ask() -> None:
        datasette = Datasette([str(sample_db)])
        listed = (await datasette.client.get("/errors.json")).json()["queries"]
        assert {query["name"]: query["title"] for query in listed} == {q.name: q.title for q in shipped()}
        for query in shipped():
            for values in ({}, dict.fromkeys(query.parameters, ""), dict.fromkeys(query.parameters, "显存 cuda'\"")):
                answer = await datasette.client.get(f"/errors/{query.name}?{urlencode(values)}")
                assert answer.status_code == 200
                assert query.title.replace("'", "&#39;") in answer.text
        rows = (
            await datasette.client.get(f"/errors/search_zh.json?_shape=array&{urlencode({'q': '显存不足'})}")
        ).json()
        assert OOM in [row["id"] for row in rows]
        assert len((await datasette.client.get("/errors/whats_new.json?_shape=array&limit=7")).json()) == 7
        for database in datasette.databases.values():
            database.close()

    asyncio.run(ask())
