"""Which databases are ours, and whether a file is still the one that was opened.

A file says what it is in its header, so nothing here needs a connection: a look costs a stat, and a read when the
file is new.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from culdesac.db.file import APPLICATION_ID, SCHEMA_VERSION, FileError, open_readonly
from culdesac.queries.sql import engine

# https://www.sqlite.org/fileformat.html: user_version at byte 60, application_id at byte 68, both big-endian.
_USER_VERSION, _APPLICATION_ID = slice(60, 64), slice(68, 72)


class Stamp(NamedTuple):
    """What changes when a file is replaced or written to."""

    device: int
    inode: int
    size: int
    modified: int


def stamp(path: str | Path | None) -> Stamp | None:
    """The stamp of a file as it is now; None when there is none."""
    if path is None:
        return None
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def is_ours(path: str | Path | None) -> bool:
    """Whether the file says that it is Culdesac's, of the schema that this version reads."""
    found = stamp(path)
    return path is not None and found is not None and _is_ours(str(path), found)


@lru_cache(maxsize=256)
def _is_ours(path: str, _: Stamp) -> bool:
    try:
        with Path(path).open("rb") as file:
            header = file.read(100)
    except OSError:
        return False
    return (
        int.from_bytes(header[_APPLICATION_ID], "big") == APPLICATION_ID
        and int.from_bytes(header[_USER_VERSION], "big") == SCHEMA_VERSION
    )


def about(path: str | Path) -> dict[str, str]:
    """The table `about` of a file of ours; empty when it can't be read."""
    found = stamp(path)
    return dict(_about(str(path), found)) if found else {}


@lru_cache(maxsize=64)
def _about(path: str, _: Stamp) -> tuple[tuple[str, str], ...]:
    try:
        with closing(open_readonly(Path(path))) as connection:
            return tuple((str(key), str(value)) for key, value in connection.execute(engine("about")))
    except (FileError, sqlite3.Error):
        return ()


def identity(path: str | Path) -> tuple[object, ...] | None:
    """What tells a file's content from another's, the same on every machine that has a copy with its time kept."""
    found = stamp(path)
    return None if found is None else (found.size, found.modified, _about(str(path), found))


def databases(datasette: Any) -> dict[str, Any]:
    """Our databases of a Datasette, by name, in its order."""
    return {name: database for name, database in datasette.databases.items() if is_ours(database.path)}


def is_our_database(datasette: Any, name: str) -> bool:
    """Whether the database of that name is ours."""
    database = datasette.databases.get(name)
    return database is not None and is_ours(database.path)
