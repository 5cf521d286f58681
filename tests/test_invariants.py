"""The file's five promises: lossless, deterministic, atomic, self-contained, idempotent."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import culdesac as product
from culdesac.db.rows import COLUMNS
from culdesac.ingest.run import SAMPLE
from tests.conftest import Run, ingest
from tests.corpora import documents, sample
from tests.needs import missing, program, shared
from tests.test_documents import same


def exported(path: Path) -> dict[str, Any]:
    with product.open(path) as file:
        return {document["id"]: document for document in file.export()}


def write_lines(path: Path, documents: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return path


# Lossless


def test_every_document_comes_back_from_the_file(tmp_path: Path, corpus_db: Path) -> None:
    target = Path(shutil.copy(corpus_db, tmp_path / "errors.db"))
    ingest(target, shared("seeds/002_2f36a61bd99dd588.txt"))
    back = exported(target)
    given = {document["id"]: document for document in documents()}
    assert len(given) == 2_581
    assert back.keys() == given.keys()
    assert all(same(back[key], given[key]) for key in given)


def test_export_is_built_from_the_columns(tmp_path: Path, sample_db: Path) -> None:
    """Change each authored column of each table by SQL: the export shows the change, so no copy is kept."""
    nested = {
        "id": "d/s/e", "error": {"signature": "s", "domain": "d"}, "url": "u", "schema_version": "1",
        "environment": {"runtime": {"name": "n", "version_range": "r"}, "os": "o", "hardware": {"gpu": "g"},
                        "additional": {"country": "c"}},
        "metadata": {"generation_date": "g", "last_verification": "l", "review_status": "r", "generated_by": "g",
                     "page_views": 1, "ai_agent_hits": 1, "human_hits": 1},
    }  # fmt: skip
    flat = {
        "id": "f/g", "signature": "s", "tags": ["t"], "aliases": ["a"], "os_specific": {"linux": "n"},
        "versions": [{"version": "v 1"}],
        "dead_ends": [{"action": "a", "sources": ["u"]}], "workarounds": [{"action": "a", "sources": ["u"]}],
        "transition_graph": {"leads_to": [{"error_id": "d/s/e"}]},
    }  # fmt: skip
    target = tmp_path / "errors.db"
    ingest(target, write_lines(tmp_path / "two.jsonl", [nested, flat]))
    derived = {"entries": {"extra", "shape", "dialect"}, "versions": {"kind"}}
    unseen = []
    for table, columns in COLUMNS.items():
        for column in [*columns, *(["url"] if table == "step_sources" else [])]:
            if column == "sources" or column in derived.get(table, ()):
                continue
            if not _change_shows(target, table, column):
                unseen.append(f"{table}.{column}")
    assert unseen == []
    assert _change_shows(target, "step_sources", "url")


def _change_shows(path: Path, table: str, column: str) -> bool:
    """Whether the export differs after each row's value of a column was changed; the change is taken back."""
    before = json.dumps(list(exported(path).values()))
    number = column in {"fix_success_rate", "confidence", "evidence_count", "success_rate", "fail_rate", "probability"}
    number = number or column in {"page_views", "ai_agent_hits", "human_hits"}
    value = {"kind": "preceded_by", "type": "json", "scope": "additional"}.get(column, 17 if number else '"changed"')
    copy = path.with_suffix(".changed")
    shutil.copy(path, copy)
    with contextlib.closing(sqlite3.connect(copy)) as connection, connection:
        unique = " || rowid" if (table, column) == ("entries", "id") else ""
        connection.execute(f"UPDATE {table} SET {column} = ?{unique}", (value,))
    try:
        return json.dumps(list(exported(copy).values())) != before
    except ValueError:
        # A cell marked as JSON that isn't: the change shows by being refused.
        return True


# Deterministic


def test_the_same_documents_make_the_same_bytes(tmp_path: Path, culdesac: Run) -> None:
    half = sample()
    one = write_lines(tmp_path / "one.jsonl", half[:60])
    two = write_lines(tmp_path / "two.jsonl", half[60:] + half[:3])
    seed = shared("seeds/002_2f36a61bd99dd588.txt")
    runs: dict[str, list[list[Path]]] = {
        "together": [[one, two, seed]],
        "another order": [[seed, two, one]],
        "step by step": [[two], [seed], [one]],
    }
    made = {}
    for number, (name, steps) in enumerate(runs.items()):
        target = tmp_path / f"{number}.db"
        for sources in steps:
            done = culdesac("ingest", *sources, "--db", target, TZ="Asia/Tokyo", PYTHONHASHSEED=str(number))
            assert done.returncode == 0, done.stderr
        made[name] = target.read_bytes()
    assert len(set(made.values())) == 1
    assert culdesac("ingest", one, two, seed, "--db", tmp_path / "clock.db", **_another_clock()).returncode == 0
    assert (tmp_path / "clock.db").read_bytes() == made["together"]


def _another_clock() -> dict[str, str]:
    """Thirty years ahead, where the machine has libfaketime; else only another zone."""
    found = list(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    return {"LD_PRELOAD": str(found[0]), "FAKETIME": "+30y"} if found else {"TZ": "America/New_York"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("steps", ["one ingest", "two ingests"])
@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ({"last_updated": "2026-01-02", "root_cause": "a"}, {"last_updated": "2026-01-01", "root_cause": "z"}, 0),
        ({"last_updated": "2026-01-01", "root_cause": "a"}, {"last_updated": "2026-01-01", "root_cause": "z"}, 1),
        ({"root_cause": "z"}, {"last_updated": "1999-01-01"}, 1),
    ],
)
def test_of_two_versions_the_later_wins_whatever_the_order(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], winner: int, order: tuple[int, int], steps: str
) -> None:
    base = {"id": "a/b", "signature": "s"}
    versions = [base | first, base | second]
    files = [write_lines(tmp_path / f"{name}.jsonl", [version]) for name, version in zip("ab", versions, strict=True)]
    target = tmp_path / "errors.db"
    faults: list[Any] = []
    sources = [files[place] for place in order]
    for batch in [sources] if steps == "one ingest" else [[source] for source in sources]:
        report = ingest(target, *batch, faults=faults)
    assert same(exported(target)["a/b"], versions[winner])
    assert report.rejected == 0
    reported = [fault for fault in faults if "'a/b'" in fault.message]
    # A later version of what the file has is an update; any other meeting of two versions is told.
    update = steps == "two ingests" and order[1] == winner
    assert len(reported) == (0 if update else 1)
    assert report.changes.updated == (1 if update else 0)


# Idempotent


def test_ingesting_again_leaves_bytes_and_mtime_and_says_so(tmp_path: Path, culdesac: Run) -> None:
    target = tmp_path / "errors.db"
    assert culdesac("ingest", "--sample", "--db", target).returncode == 0
    os.utime(target, (1, 1))
    before = target.read_bytes()
    again = culdesac("ingest", "--sample", "--db", target)
    assert again.returncode == 0
    assert "120 unchanged" in again.stdout
    assert "the file stays as it is" in again.stdout
    assert target.read_bytes() == before
    assert target.stat().st_mtime == 1
    piped = culdesac("ingest", "-", "--db", target, input=SAMPLE.read_bytes())
    assert "the file stays as it is" in piped.stdout
    assert target.read_bytes() == before


def test_a_file_ingested_into_itself_stays(tmp_path: Path, sample_db: Path) -> None:
    target = Path(shutil.copy(sample_db, tmp_path / "errors.db"))
    before = target.read_bytes()
    assert not ingest(target, target).written
    assert target.read_bytes() == before


# Self-contained


def test_there_are_no_side_files(tmp_path: Path, sample_db: Path) -> None:
    target = Path(shutil.copy(sample_db, tmp_path / "errors.db"))
    ingest(target, write_lines(tmp_path / "more.jsonl", [{"id": "a/b", "signature": "s"}]))
    exported(target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["errors.db", "more.jsonl"]


def test_a_stock_shell_reads_searches_and_rebuilds(tmp_path: Path, sample_db: Path) -> None:
    shell = program("sqlite3")
    target = shutil.copy(sample_db, tmp_path / "errors.db")

    def sql(text: str) -> str:
        done = subprocess.run([shell, target, text], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert sql("PRAGMA integrity_check") == "ok"
    assert sql("SELECT count(*) FROM entries") == "120"
    ranked = "SELECT id FROM search WHERE match MATCH 'nccl AND watchdog' ORDER BY rank LIMIT 1"
    assert sql(ranked) == "pytorch/nccl-watchdog-timeout-straggler"
    found = sql("SELECT rowid FROM entries_fts WHERE entries_fts MATCH '显存' ORDER BY rank")
    assert found
    for name in ("entries_fts", "workarounds_fts", "dead_ends_fts"):
        sql(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
        sql(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
    assert sql("SELECT rowid FROM entries_fts WHERE entries_fts MATCH '显存' ORDER BY rank") == found
    dumped = subprocess.run([shell, target, ".dump"], capture_output=True, check=True).stdout
    copy = tmp_path / "copy.db"
    subprocess.run([shell, copy], input=dumped, capture_output=True, check=True)
    assert subprocess.run([shell, copy, ranked], capture_output=True, text=True, check=True).stdout.strip() == sql(
        ranked
    )


# Atomic


@pytest.fixture
def old(tmp_path: Path, sample_db: Path) -> Path:
    """A file that is about to be replaced."""
    return Path(shutil.copy(sample_db, tmp_path / "errors.db"))


@contextlib.contextmanager
def ingesting(target: Path, source: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "culdesac", "ingest", str(source), "--db", str(target)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def whole(path: Path) -> int:
    """How many entries a file has, after making sure that it is whole."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO entries_fts (entries_fts, rank) VALUES ('integrity-check', 1)")
        count: int = connection.execute("SELECT count(*) FROM entries").fetchone()[0]
        connection.rollback()
    return count


def test_killed_at_any_moment_the_old_file_or_the_new_one_is_whole(tmp_path: Path, old: Path) -> None:
    more = write_lines(
        tmp_path / "more.jsonl",
        [{"id": f"d/{number}", "signature": f"error {number}", "root_cause": "cause " * 20} for number in range(1_500)],
    )
    backup = old.read_bytes()
    lengths = []
    for _ in range(3):
        old.write_bytes(backup)
        started = time.monotonic()
        with ingesting(old, more) as process:
            assert process.wait() == 0
        lengths.append(time.monotonic() - started)
        assert whole(old) == 1_620
    length = min(lengths)  # the machine may have been busy once
    moments = random.Random(50)
    killed = 0
    for _ in range(50):
        old.write_bytes(backup)
        with ingesting(old, more) as process:
            time.sleep(moments.uniform(0.1, 1.1) * length)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        assert whole(old) in (120, 1_620)
    assert killed >= 20, "most of the runs should have been caught at work"
    # What the killed ones left is no obstacle, and goes.
    ingest(old, more)
    assert whole(old) == 1_620
    assert sorted(path.name for path in tmp_path.iterdir()) == ["errors.db", "more.jsonl"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, sample_db: Path) -> None:
    more = write_lines(
        tmp_path / "more.jsonl", [{"id": f"d/{n}", "signature": f"error {n} " * 50} for n in range(3_000)]
    )
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=4m tmpfs {disk} && cp {sample_db} {disk}/errors.db && "
        f"{sys.executable} -m culdesac ingest {more} --db {disk}/errors.db; echo exit $?; "
        f"cmp {sample_db} {disk}/errors.db && ls -A {disk}"
    )
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount" in done.stderr:
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount" in done.stderr:
        missing(f"no small file system can be mounted here: {done.stderr.strip()}")
    assert done.stdout.split() == ["exit", "2", "errors.db"], done.stderr
    assert done.stderr.count("\n") == 1
    assert "full" in done.stderr


def test_a_second_writer_is_kept_out(tmp_path: Path, old: Path) -> None:
    from culdesac.db.file import FileError
    from culdesac.db.publish import workplace

    with workplace(old), pytest.raises(FileError, match="another process is writing it"):
        ingest(old, write_lines(tmp_path / "more.jsonl", [{"id": "a/b", "signature": "s"}]))
    ingest(old, tmp_path / "more.jsonl")
    assert whole(old) == 121


def test_a_link_and_the_mode_bits_stay(tmp_path: Path, old: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(old.name)
    old.chmod(0o640)
    ingest(link, write_lines(tmp_path / "more.jsonl", [{"id": "a/b", "signature": "s"}]))
    assert link.is_symlink()
    assert old.stat().st_mode & 0o777 == 0o640
    assert whole(old) == 121


def test_a_reader_keeps_the_file_it_opened(tmp_path: Path, old: Path) -> None:
    with product.open(old) as file:
        ingest(old, write_lines(tmp_path / "more.jsonl", [{"id": "a/b", "signature": "s"}]))
        assert len(list(file.export())) == 120
    assert len(exported(old)) == 121
