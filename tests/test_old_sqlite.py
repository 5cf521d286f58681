"""The oldest SQLite that the file promises: 3.35, built from the amalgamation that an npm package carries."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from culdesac.queries.shipped import shipped
from tests.needs import missing, program

_PACKAGE = "better-sqlite3@7.4.0"
_OPTIONS = [
    "-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_JSON1", "-DSQLITE_ENABLE_COLUMN_METADATA", "-DSQLITE_ENABLE_DESERIALIZE",
]  # fmt: skip


@pytest.fixture(scope="module")
def old_sqlite(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Python's sqlite3 is SQLite 3.35."""
    npm, compiler = program("npm"), program("gcc")
    folder = tmp_path_factory.mktemp("sqlite335")
    packed = subprocess.run([npm, "pack", _PACKAGE], cwd=folder, capture_output=True, text=True, check=False)
    if packed.returncode:
        missing(f"no {_PACKAGE} to be had: {packed.stderr.strip()[-200:]}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extract("package/deps/sqlite3.tar.gz", folder, filter="data")
    with tarfile.open(folder / "package/deps/sqlite3.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    library = folder / "libsqlite3.so.0"
    command = [compiler, "-shared", "-fPIC", "-O0", "-w", *_OPTIONS, "sqlite3.c", "-o", str(library)]
    subprocess.run([*command, "-lpthread", "-ldl", "-lm"], cwd=folder, check=True)
    environment = os.environ | {"LD_LIBRARY_PATH": str(folder), "LD_PRELOAD": str(library)}
    seen = _python("import sqlite3; print(sqlite3.sqlite_version)", environment)
    if not seen.startswith("3.35."):
        missing(f"this Python has SQLite {seen.strip()} inside and takes no other")
    return environment


def _python(code: str, environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_file_is_read_and_searched(old_sqlite: dict[str, str], sample_db: Path) -> None:
    code = (
        "import sys, culdesac\n"
        "file = culdesac.open(sys.argv[1])\n"
        "for text in ('NCCL watchdog callback timed out', '看门狗回调超时'):\n"
        "    print(file.search(text).results[0].id)\n"
        "print(len(list(file.export())))"
    )
    found = "pytorch/nccl-watchdog-timeout-straggler"
    assert _python(code, old_sqlite, str(sample_db)).split() == [found, found, "120"]


@pytest.mark.parametrize("name", [query.name for query in shipped()])
def test_every_query_for_people_runs(old_sqlite: dict[str, str], sample_db: Path, name: str) -> None:
    code = (
        "import sqlite3, sys\n"
        "from culdesac.queries.shipped import shipped\n"
        "query = next(query for query in shipped() if query.name == sys.argv[2])\n"
        "connection = sqlite3.connect(sys.argv[1])\n"
        "for value in (None, 'nccl timeout 显存不足', ''):\n"
        "    connection.execute(query.sql, dict.fromkeys(query.parameters, value)).fetchall()\n"
    )
    _python(code, old_sqlite, str(sample_db), name)
