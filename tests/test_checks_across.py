"""The checks across entries: what one entry can't show alone, and the work that finding it takes."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from culdesac.db.documents import flatten
from culdesac.ingest.build import build
from culdesac.ingest.checks import CheckOptions, broad, check_across
from culdesac.ingest.checks.sql import statement
from tests.test_checks import CLEAN, TODAY, Document


def entry(slug: str, signature: str = "", regex: str | None = None, **more: Any) -> Document:
    action = [{"action": "Restart"}]
    return {"id": f"x/{slug}", "signature": signature or slug, "regex": regex, "workarounds": action} | more


def edges(**kinds: list[str]) -> Document:
    return {"transition_graph": {kind: [{"error_id": to} for to in targets] for kind, targets in kinds.items()}}


def built(folder: Path, documents: Iterable[Document]) -> sqlite3.Connection:
    """A file with the documents in their order, open for check_across."""
    path = folder / "errors.db"
    path.unlink(missing_ok=True)
    rows = (("test", flatten(document)) for document in documents)
    build(path, rows, {}, (), CheckOptions(), 0, lambda stage, done, total: None)
    return sqlite3.connect(path)


def found_across(
    folder: Path, documents: Iterable[Document], options: CheckOptions = TODAY
) -> list[tuple[int, str, str]]:
    connection = built(folder, documents)
    try:
        return [(pk, problem.code, problem.field) for pk, problem in check_across(connection, options)]
    finally:
        connection.close()


VARIANTS = [entry("c/d", regex="c/d"), entry("c/e", regex="c/d")]
TWINS = [entry("a/linux", "disk full"), entry("a/mac", "disk full"), entry("b", "disk full"), entry("c", "disk fuller")]
CONFIRMED = ["2026-02-01", "2025-01-31", "2024", "2025", "2025-02-01", "9999-12-31", "2099-01-01", "soon", None]
ACROSS: dict[str, tuple[list[Document], list[tuple[int, str]]]] = {
    "duplicate-signature": (TWINS, [(1, "signature"), (2, "signature"), (3, "signature")]),
    "duplicate-regex": (
        [entry("a", "aaaa 1", "aaaa"), entry("b", "aaaa 2", "aaaa"), *VARIANTS],
        [(1, "regex"), (2, "regex")],
    ),
    "regex-matches-others": (
        [
            entry("wide", "Connection Refused", r"connection re[fs]used\b"),
            entry("narrow", "Connection refused by peer", "connection refused by"),
            entry("chinese", "连接被拒绝", "拒绝"),
            *(entry(f"e{n}", f"CONNECTION REFUSED: {n}; 拒绝" if n else "connection refused: 0") for n in range(5)),
        ],
        [(1, "regex")],
    ),
    "edge-dangling": (
        [entry("a", **edges(leads_to=["x/b", "x/lost"], preceded_by=["y"])), entry("b", **edges(preceded_by=["x/a"]))],
        [(1, "transition_graph.leads_to[1].error_id"), (1, "transition_graph.preceded_by[0].error_id")],
    ),
    "edge-one-sided": (
        [
            entry("a/linux", **edges(leads_to=["x/b", "x/c"], frequently_confused_with=["x/b"])),
            entry("a/mac", **edges(preceded_by=["x/c"], frequently_confused_with=["x/a/linux"])),
            entry("b", **edges(preceded_by=["x/a"], frequently_confused_with=["x/a/mac"])),
            entry("c", **edges(leads_to=["x/a/linux"], frequently_confused_with=["x/b"])),
        ],
        [(1, "transition_graph.leads_to[1]"), (4, "transition_graph.frequently_confused_with[0]")],
    ),
    "stale": (
        [entry(f"e{n}", last_confirmed=day) for n, day in enumerate([*CONFIRMED, *(["2026-02-01"] * 3)])],
        [(2, "last_confirmed"), (3, "last_confirmed")],
    ),
}


@pytest.mark.parametrize("code", ACROSS)
def test_one_defect_across(code: str, tmp_path: Path) -> None:
    documents, expected = ACROSS[code]
    assert found_across(tmp_path, documents) == [(pk, code, field) for pk, field in expected]


def test_clean_documents_across(tmp_path: Path) -> None:
    answer = entry("import-error", **edges(preceded_by=[CLEAN["id"]]))
    documents = [CLEAN, answer | {"id": "python/import-error"}, entry("other", "Disk full", "disk full")]
    assert found_across(tmp_path, documents) == []


@pytest.mark.parametrize(
    ("days", "stale"),
    [
        (["2026-01-01"], 0),
        (["2020-01-01", "2026-01-01"], 1),
        (["2020-01-01", "2020-02-01", "2099-01-01"], 0),
        (["2020-01-01"] * 38 + ["2099-01-01"] * 2, 38),
        (["2020-01-01"] * 40 + ["2099-01-01"] * 2, 0),
        (["2020-01-01", "9999-12-31"], 0),
        (["soon", "2026-02-30"], 0),
    ],
)
def test_newest_needs_company(days: list[str], stale: int, tmp_path: Path) -> None:
    documents = [entry(f"e{n}", last_confirmed=day) for n, day in enumerate(days)]
    assert len(found_across(tmp_path, documents, CheckOptions())) == stale


def test_stale_days_may_be_any_number(tmp_path: Path) -> None:
    documents = [entry("a", last_confirmed="2026-01-01"), entry("b", last_confirmed="2025-12-31")]
    counts = [len(found_across(tmp_path, documents, CheckOptions(stale_days=days))) for days in (0, 1, 10**9)]
    assert counts == [1, 0, 0]


def test_duplicates_name_three_others(tmp_path: Path) -> None:
    connection = built(tmp_path, [entry(f"e{n}", "same") for n in range(6)])
    messages = [problem.message for _, problem in check_across(connection, TODAY)]
    connection.close()
    assert messages[0] == "the same signature as x/e1, x/e2, x/e3 and 2 more: merge them or make one more specific"
    assert messages[5] == "the same signature as x/e0, x/e1, x/e2 and 2 more: merge them or make one more specific"


def test_closing_early_leaves_nothing(tmp_path: Path) -> None:
    connection = built(tmp_path, ACROSS["regex-matches-others"][0] + ACROSS["edge-one-sided"][0])
    for wanted in ("regex-matches-others", "edge-one-sided"):
        problems = check_across(connection, TODAY)
        assert any(problem.code == wanted for _, problem in problems)
        problems.close()  # type: ignore[attr-defined]
        assert connection.execute("SELECT name FROM sqlite_temp_master").fetchall() == []
    connection.close()


def statements() -> Iterator[tuple[str, str]]:
    for path in sorted(Path(broad.__file__).parent.glob("*.sql")):
        if not path.name.startswith(("make", "drop", "optimize", "fill_signatures")):
            yield path.stem, path.read_text(encoding="utf-8")


PARAMETERS = {"longest": 1, "most": 1, "texts": "abc", "first": "", "last": "", "limit": ""}


def crowd(count: int) -> Iterator[Document]:
    """Entries that have as much in common as they can: words, signatures, regexes, and a hub that all edges meet in."""
    hub = {"leads_to": ["x/hub"], "preceded_by": ["x/hub"]}
    yield entry("hub", **edges(preceded_by=[f"x/e{n}" for n in range(0, count, 2)]))
    for n in range(count):
        signature = "connection refused: the same" if n % 10 == 0 else f"connection refused: error {n} at port {n % 7}"
        regex = ["connection.*port", f"error {n} at", r"refused: \w+"][n % 3]
        yield entry(f"e{n}", signature, regex, last_confirmed=f"20{n % 25:02}-01-01", **edges(**hub))


@pytest.mark.parametrize(("name", "sql"), list(statements()), ids=lambda value: value.split("\n")[0])
def test_no_scan_inside_a_loop(name: str, sql: str, tmp_path: Path) -> None:
    connection = built(tmp_path, crowd(100))
    # While the file is being built there are no statistics.
    connection.execute("DROP TABLE sqlite_stat1")
    for table in ("make_signatures", "make_edges"):
        connection.execute(statement(table))
    plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", PARAMETERS).fetchall()
    connection.close()
    loops = Counter[int]()
    for _, parent, _, detail in plan:
        assert "AUTOMATIC" not in detail
        if detail.startswith(("SCAN", "SEARCH")):
            # The first loop of a level may be a scan, since it runs once; a correlated one wouldn't.
            assert detail.startswith("SEARCH") or not loops[parent], plan
            loops[parent] += 1
        assert "CORRELATED" not in detail, plan


def test_work_grows_as_the_entries_do(tmp_path: Path) -> None:
    def steps(count: int) -> int:
        connection = built(tmp_path, crowd(count))
        ticks = 0

        def tick() -> int:
            nonlocal ticks
            ticks += 1
            return 0

        connection.set_progress_handler(tick, 100)
        assert sum(1 for _ in check_across(connection, TODAY)) > count
        connection.close()
        return ticks

    few, many = steps(400), steps(1600)
    assert many < 5 * few, (few, many)


def test_candidates_of_one_regex_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broad, "MOST_CANDIDATES", 7)
    connection = built(tmp_path, crowd(40))
    connection.execute(statement("make_signatures"))
    signatures = enumerate(document["signature"] for document in crowd(40))
    connection.executemany(statement("fill_signatures"), signatures)
    assert list(broad._candidates(connection, (("connection",),))) == list(range(1, 8))
    assert list(broad._candidates(connection, (("ab",),))) == list(range(7))
    assert list(broad._candidates(connection, (('"quoted" AND', "NEAR("), ("connection",)))) == list(range(1, 8))
    connection.close()


def test_steps_of_one_regex_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = ACROSS["regex-matches-others"][0]
    assert len(found_across(tmp_path, documents)) == 1
    monkeypatch.setattr(broad, "MOST_STEPS", 1_000)
    assert found_across(tmp_path, documents) == []
