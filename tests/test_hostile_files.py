"""Culdesac files by strangers: opened, searched and taken in without harm, each bad record alone."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import culdesac as product
from culdesac.db.file import FileError
from tests.conftest import Run, ingest
from tests.sites import Site

_SMALLEST = -(2**63)


def spoilt(tmp_path: Path, sample_db: Path, *statements: str) -> Path:
    """The sample's file after some SQL by a stranger."""
    path = tmp_path / "strange.db"
    shutil.copy(sample_db, path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = off")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


@pytest.mark.parametrize(
    ("statement", "field"),
    [
        ("UPDATE entries SET signature = x'00ff' WHERE pk = 3", "signature"),
        ("UPDATE entries SET root_cause = cast(x'eda080' AS TEXT) WHERE pk = 3", "record"),
        ("UPDATE entries SET fix_success_rate = 9e999 WHERE pk = 3", "fix_success_rate"),
        ("UPDATE entries SET root_cause = 'a' || char(0) || 'b' WHERE pk = 3", "root_cause"),
        ("UPDATE entries SET root_cause = hex(zeroblob(9000000)) WHERE pk = 3", "record"),
        ("UPDATE entries SET dialect = 'other' WHERE pk = 3", "record"),
        (
            "UPDATE workarounds SET action = x'ff' WHERE pk = (SELECT min(pk) FROM workarounds WHERE entry = 3)",
            "workarounds[0].action",
        ),
    ],
)
def test_a_bad_record_is_kept_out_and_the_others_load(
    tmp_path: Path, sample_db: Path, statement: str, field: str
) -> None:
    source = spoilt(tmp_path, sample_db, statement)
    faults: list[object] = []
    report = ingest(tmp_path / "new.db", source, faults=faults)  # type: ignore[arg-type]
    assert (report.changes.added, report.rejected) == (119, 1)
    assert [fault.field for fault in faults] == [field]  # type: ignore[attr-defined]


@pytest.mark.parametrize("pk", [_SMALLEST, -1, 0, 2**63 - 1])
def test_any_key_is_read(tmp_path: Path, sample_db: Path, pk: int) -> None:
    source = spoilt(tmp_path, sample_db, f"UPDATE entries SET pk = {pk} WHERE pk = 2")
    assert ingest(tmp_path / "new.db", source).changes.added == 120


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE tags", "CREATE VIEW tags AS SELECT 1 AS entry, 1 AS position, 'x' AS value"],
        ["DROP TABLE tags", "CREATE TABLE tags (entry INT, position INT, value TEXT AS (hex(zeroblob(100000000))))"],
        ["DROP TABLE terms"],
        ["ALTER TABLE entries DROP COLUMN url"],
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, sample_db: Path, statements: list[str]) -> None:
    source = spoilt(tmp_path, sample_db, *statements)
    with pytest.raises(ValueError, match=r"strange\.db"):
        ingest(tmp_path / "new.db", source)
    assert not (tmp_path / "new.db").exists()


def test_a_damaged_file_gives_one_line(tmp_path: Path, sample_db: Path, culdesac: Run) -> None:
    path = spoilt(
        tmp_path, sample_db, "UPDATE entries SET signature = x'00ff'", "UPDATE workarounds SET action = x'ff'"
    )
    for arguments in (["search", "nccl timeout"], ["export"], ["show", "pytorch/nccl-watchdog-timeout-straggler"]):
        done = culdesac(*arguments, "--db", path)
        assert done.returncode == 2, arguments
        assert done.stderr.count("\n") == 1, done.stderr
    with product.open(path) as file, pytest.raises(FileError, match="damaged"):
        list(file.export())


def test_a_file_in_wal_mode_is_read_without_a_trace(tmp_path: Path, sample_db: Path) -> None:
    source = spoilt(tmp_path, sample_db, "PRAGMA journal_mode = wal")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert ingest(tmp_path / "new.db", source).changes.added == 120
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "new.db"])


def test_the_smallest_entry_is_shown_in_every_form(tmp_path: Path, culdesac: Run) -> None:
    lines = [{"id": "a/b", "signature": "one"}, {"id": "c/d/e", "error": {"signature": "two"}}]
    lines += [
        {
            "id": "a/null",
            "signature": "three",
            "resolvable": None,
            "versions": None,
            "workarounds": [{}],
            "dead_ends": [{}],
        }
    ]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert culdesac("ingest", "x.jsonl", "--db", "errors.db", cwd=tmp_path).returncode == 0
    for entry_id in ("a/b", "c/d", "a/null"):
        for form in ("text", "json", "markdown"):
            for lang in ("en", "zh"):
                done = culdesac("show", entry_id, "--format", form, "--lang", lang, "--db", "errors.db", cwd=tmp_path)
                assert (done.returncode, done.stderr) == (0, "")
                assert done.stdout.strip()


@pytest.mark.parametrize(
    "command",
    [["export"], ["stats"], ["search", "nccl", "--json"], ["show", "pytorch/nccl-watchdog-timeout-straggler"]],
)
def test_a_full_device_is_one_line_and_a_closed_pipe_is_nothing(sample_db: Path, command: list[str]) -> None:
    base = [sys.executable, "-m", "culdesac", *command, "--db", str(sample_db)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(base, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    process = subprocess.Popen(base, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 0


def test_an_index_of_another_tokenizer_is_refused(tmp_path: Path, sample_db: Path) -> None:
    path = spoilt(tmp_path, sample_db, "UPDATE about SET value = 'thulac' WHERE key = 'tokenizer'")
    with pytest.raises(FileError, match="made by thulac"):
        product.open(path)


def test_a_site_says_that_its_index_is_of_another_tokenizer(tmp_path: Path, sample_db: Path, culdesac: Run) -> None:
    path = spoilt(tmp_path, sample_db, "UPDATE about SET value = 'thulac' WHERE key = 'tokenizer'")
    for lang, reason in (("en", "made by thulac"), ("zh", "由 thulac 生成")):
        done = culdesac("serve", "--db", path, "--port", "0", "--lang", lang)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert reason in done.stderr
        site = Site(path)
        for page in ("/", "/search?q=x", "/entry/pytorch/cuda-out-of-memory-training", "/overview"):
            answer = site.get(f"{page}{'&' if '?' in page else '?'}lang={lang}", follow_redirects=True)
            assert answer.status_code == 500, page
            assert reason in answer.text, page
            assert str(path.parent) not in answer.text
        site.close()
    site = Site(path)
    for page in ("/search.json?q=x&lang=zh", "/entry/pytorch/cuda-out-of-memory-training.json?lang=zh"):
        answer = site.get(page)
        assert answer.status_code == 500
        assert "made by thulac" in answer.json()["error"]
    site.close()


def test_an_index_that_names_no_tokenizer_is_refused(tmp_path: Path, sample_db: Path, culdesac: Run) -> None:
    path = spoilt(tmp_path, sample_db, "DELETE FROM about WHERE key = 'tokenizer'")
    done = culdesac("serve", "--db", path, "--port", "0", "--lang", "zh")
    assert done.returncode == 2
    assert done.stderr.startswith(f"错误：{path}：")
    assert "unknown" not in done.stderr


def test_stats_of_a_file_that_says_nonsense_of_itself(tmp_path: Path, sample_db: Path, culdesac: Run) -> None:
    path = spoilt(
        tmp_path, sample_db, "UPDATE about SET value = x'00ff' WHERE key = 'count/entries'",
        "UPDATE about SET value = 'many' WHERE key = 'count/errors'",
    )  # fmt: skip
    for arguments in (["stats"], ["stats", "--json"]):
        done = culdesac(*arguments, "--db", path)
        assert done.returncode == 0, done.stderr
        assert "many" in done.stdout
