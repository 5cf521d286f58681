"""The file as a whole: what marks it as ours, and opening it to read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from culdesac.db.messages import _, noted, reason
from culdesac.db.sql import statement
from culdesac.db.text import SEGMENTATION

#: "Culd" as a big-endian number, SQLite's `application_id`.
APPLICATION_ID = int.from_bytes(b"Culd", "big")
#: SQLite's `user_version`. A change of db/schema.sql that an older Culdesac can't read raises it.
SCHEMA_VERSION = 3
#: The tables that reading relies on; in a stranger's file a view may not pose as one.
_TABLES = (
    "entries", "versions", "workarounds", "dead_ends", "step_sources", "transitions", "environments", "tags",
    "aliases", "os_notes", "problems", "queries", "about", "terms", "folds", "words_tw", "signature_keys",
    "signature_words", "word_vectors", "entry_vectors", "entries_fts", "workarounds_fts", "dead_ends_fts",
)  # fmt: skip
_MAGIC = b"SQLite format 3\0"


class FileError(ValueError):
    """A database that can't be used. One line: what, where, what to do."""


class UnfitFile(FileError):
    """A file that stays unusable until it is made anew, or read by another Culdesac.

    `message` with `values` says it in any language, to readers who know the file's name and not its path.
    """

    def __init__(self, message: str, path: Path, **values: object) -> None:
        self.message, self.values = message, {"path": path.name, **values}
        super().__init__(_(message).format(path=path, **values))


def is_sqlite(path: Path) -> bool:
    """Whether the file starts as every SQLite database does. Raises OSError when it can't be read."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def open_readonly(path: Path) -> sqlite3.Connection:
    """Open a Culdesac file for reading only, whoever wrote it.

    Nothing in the file can make this connection write, and SQL functions with side effects can't be called from its
    views or indexes. Raises FileError when there is no file, or it isn't one of ours, or its schema is of another
    version.
    """
    if not path.is_file():
        raise FileError(
            _("{path}: no such file; make one with: culdesac ingest --sample --db {path}").format(path=path)
        )
    try:
        if not is_sqlite(path):
            raise FileError(
                _("{path}: not an SQLite database; name a file that `culdesac ingest` wrote").format(path=path)
            )
        address = f"file:{quote(str(path.absolute()))}?mode=ro{_unless_shared(path)}"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise FileError(_("{path}: can't be opened: {reason}").format(path=path, reason=reason(error))) from None
    try:
        connection.execute("PRAGMA query_only = on")
        connection.execute("PRAGMA trusted_schema = off")
        connection.execute("PRAGMA cell_size_check = on")
        _recognise(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise FileError(_("{path}: damaged or in use: {reason}").format(path=path, reason=error)) from None
    except FileError:
        connection.close()
        raise
    return connection


def open_searchable(path: Path) -> sqlite3.Connection:
    """Open a Culdesac file as `open_readonly` does, to search it.

    Raises FileError as that does, and when the index was made by another tokenizer: a search would miss words.
    """
    connection = open_readonly(path)
    try:
        found = connection.execute(statement("tokenizer")).fetchone()
        if found is None:
            unnamed = noted("{path}: it doesn't say what made its index, this Culdesac reads {own}; make the file anew")
            raise UnfitFile(unnamed, path, own=SEGMENTATION)
        if found != (SEGMENTATION,):
            other = noted("{path}: its index was made by {made}, this Culdesac reads {own}; make the file anew")
            raise UnfitFile(other, path, made=found[0], own=SEGMENTATION)
    except sqlite3.Error as error:
        connection.close()
        raise FileError(_("{path}: damaged or in use: {reason}").format(path=path, reason=error)) from None
    except FileError:
        connection.close()
        raise
    return connection


def _unless_shared(path: Path) -> str:
    """A file in WAL mode that nobody has open: reading it as if it never changed leaves no files beside it."""
    with path.open("rb") as file:
        header = file.read(20)
    waiting = path.with_name(f"{path.name}-wal")
    return "&immutable=1" if header[18:20] == b"\x02\x02" and not waiting.exists() else ""


def _recognise(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise UnfitFile(noted("{path}: an SQLite database, but not one of Culdesac's; choose another file"), path)
    if version > SCHEMA_VERSION:
        newer = noted(
            "{path}: schema version {version} is newer than {known}, the newest that this Culdesac reads; "
            "upgrade Culdesac"
        )
        raise UnfitFile(newer, path, version=version, known=SCHEMA_VERSION)
    if version < SCHEMA_VERSION:
        older = noted(
            "{path}: schema version {version} is older than {known}, which this Culdesac reads; "
            "make the file anew from its sources: culdesac ingest SOURCE... --db NEWFILE"
        )
        raise UnfitFile(older, path, version=version, known=SCHEMA_VERSION)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    made_up = connection.execute(statement("generated_columns")).fetchone()
    if made_up:
        computed = noted("{path}: the table {table} has a computed column; make the file anew from its sources")
        raise UnfitFile(computed, path, table=made_up[0])
    missing = [name for name in _TABLES if name not in tables]
    if missing:
        lacking = noted("{path}: the table {table} is missing; make the file anew from its sources")
        raise UnfitFile(lacking, path, table=missing[0])
