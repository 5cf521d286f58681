"""What the tests share: files built once from the sample and from the public corpus, and the command line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from culdesac.commands.ingest import Report
from culdesac.ingest.run import SAMPLE, Ingest, Options
from culdesac.ingest.sources import Fault
from culdesac.shipped import shipped_queries
from tests.needs import shared
from tests.sites import Open, Site

# One seed and no deadline: the machines are noisy, and a test that fails must fail again.
hypothesis.settings.register_profile("culdesac", deadline=None, derandomize=True)
hypothesis.settings.load_profile("culdesac")

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


def ingest(target: Path, *sources: Path | str, faults: list[Fault] | None = None, **options: object) -> Report:
    """Ingest in this process; what is reported goes to `faults`."""
    heard = [] if faults is None else faults
    run = Ingest(Options(**options), heard.append, lambda stage, done, total: None, sys.stdin.buffer, shipped_queries())  # type: ignore[arg-type]
    return run.run([str(source) for source in sources], target)


@pytest.fixture(scope="session")
def sample_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file made from the shipped sample. Copy it before changing it."""
    path = tmp_path_factory.mktemp("sample") / "errors.db"
    ingest(path, SAMPLE)
    return path


@pytest.fixture(scope="session")
def corpus_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file made from the 2,460 public entries and the 120 of the sample. Copy it before changing it."""
    path = tmp_path_factory.mktemp("corpus") / "errors.db"
    ingest(path, shared("corpus/canons.jsonl.gz"), SAMPLE)
    return path


@pytest.fixture
def culdesac(tmp_path: Path) -> Run:
    """Run the command line in a process of its own, in an empty folder, with a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    here = tmp_path / "here"
    here.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CULDESAC", "LC_", "LANG"))}
    environment = kept | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "LANG": "C.UTF-8",
        "PYTHONWARNINGS": "error",
    }

    def run(*arguments: str | Path, input: str | bytes = "", cwd: Path = here, **more: str) -> Done:
        data = input.encode() if isinstance(input, str) else input
        done = subprocess.run(
            [sys.executable, "-m", "culdesac", *map(str, arguments)],
            input=data, capture_output=True, cwd=cwd, env=environment | more, check=False, timeout=120,
        )  # fmt: skip
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


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
