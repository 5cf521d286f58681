"""Writing the file: rows in their final order, indexes, full text, checks, and what the file says of itself.

Everything is a function of the entries and this code. The order of insertion is fixed and nothing reads a clock, a
path or the environment, so one set of entries always makes the same bytes (with one version of SQLite).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from culdesac.db.publish import verify
from culdesac.db.rows import COLUMNS, EntryRows, Row, split_id
from culdesac.db.sql import script, statement
from culdesac.db.text import fold, simplified
from culdesac.db.words_tw import words_tw
from culdesac.ingest.checks import CheckOptions, Problem, check_across, check_entry
from culdesac.ingest.sql import statement as own_statement
from culdesac.ingest.tokens import Tokenizer, signature_keys

#: Told now and then how many entries a stage has done, and of how many (0: nobody knows yet).
Progress = Callable[[str, int, int], None]

_BATCH = 1000
_PLAIN = ("versions", "tags", "aliases")
_UNPLACED = ("environments", "os_notes")


@dataclass(frozen=True, slots=True)
class ShippedQuery:
    """A query that the file brings along: its name, its title, and SQL that runs as it is."""

    name: str
    title: str
    sql: str


def build(
    path: Path,
    entries: Iterator[tuple[str, EntryRows]],
    about: Mapping[str, str],
    queries: Iterable[ShippedQuery],
    options: CheckOptions,
    total: int,
    progress: Progress,
) -> None:
    """Write a new file from (source, rows) of `total` entries in their final order.

    Raises sqlite3.Error (a full disk, say) or FileError (the finished file fails its checks); what stands at `path`
    then is of no use.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # Nobody reads this file before it is whole: neither a journal nor a flush has anything to save.
        connection.executescript(script("building"))
        database = Database(connection, execute_plugins=False)
        writer = _Writer(connection, options)
        with database.atomic():
            for sql in _statements(script("schema")):
                connection.execute(sql)
            writer.entries(entries, total, progress)
            progress("index", writer.count, total)
            writer.finish(about, queries)
        progress("verify", writer.count, total)
        connection.execute("ANALYZE")
        verify(connection)
    finally:
        connection.close()


def _statements(text: str) -> Iterator[str]:
    """Cut a script into statements: executescript would commit what is open."""
    pending = ""
    for line in text.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


class _Writer:
    """The rows of one build."""

    def __init__(self, connection: sqlite3.Connection, options: CheckOptions) -> None:
        self._connection = connection
        self._options = options
        self._tokenizer = Tokenizer()
        self._workarounds = 0
        self._dead_ends = 0
        self._words = 0
        self.count = 0

    def entries(self, entries: Iterator[tuple[str, EntryRows]], total: int, progress: Progress) -> None:
        self._connection.execute(own_statement("create_found"))
        while batch := list(islice(entries, _BATCH)):
            rows: dict[str, list[Any]] = {}
            for source, entry in batch:
                self._entry(source, entry, rows)
            # In the order of their keys: a table WITHOUT ROWID grows at its end only then.
            rows["signature_words"].sort()
            for name, values in rows.items():
                sql = own_statement("insert_found") if name == "found" else statement(f"insert_{name}")
                self._connection.executemany(sql, values)
            progress("write", self.count, total)

    def _entry(self, source: str, entry: EntryRows, out: dict[str, list[Any]]) -> None:
        """Collect an entry's rows, by statement."""
        self.count += 1
        pk = self.count
        parts = split_id(entry.column("id"))
        out.setdefault("entries", []).append(
            (pk, parts.error_id, parts.slug, parts.environment, source, *entry.entries)
        )
        for table in _PLAIN:
            if rows := getattr(entry, table):
                out.setdefault(table, []).extend((pk, place, *row) for place, row in enumerate(rows, 1))
        for table in _UNPLACED:
            if rows := getattr(entry, table):
                out.setdefault(table, []).extend((pk, *row) for row in rows)
        self._transitions(pk, entry.transitions, out)
        workarounds = [self._tokenizer.workaround(row) for row in entry.workarounds]
        dead_ends = [self._tokenizer.dead_end(row) for row in entry.dead_ends]
        self._workarounds = self._steps("workarounds", self._workarounds, pk, entry.workarounds, workarounds, out)
        self._dead_ends = self._steps("dead_ends", self._dead_ends, pk, entry.dead_ends, dead_ends, out)
        tokens = self._tokenizer.entry(entry, parts, workarounds, dead_ends)
        self._words += sum(text.count(" ") + 1 for text in tokens if text)
        out.setdefault("entries_fts_tokens", []).append((pk, *tokens))
        signature_words = set(f"{tokens[0] or ''} {tokens[5] or ''}".split())
        out.setdefault("signature_words", []).extend((word, pk) for word in signature_words)
        out.setdefault("signature_keys", []).extend((key, pk) for key in sorted(signature_keys(entry)))
        out.setdefault("found", []).extend(_found(pk, problem) for problem in check_entry(entry, self._options))

    @staticmethod
    def _transitions(pk: int, rows: list[Row], out: dict[str, list[Any]]) -> None:
        position: dict[str, int] = {}
        for row in rows:
            position[row[0]] = position.get(row[0], 0) + 1
            out.setdefault("transitions", []).append((pk, position[row[0]], *row))

    @staticmethod
    def _steps(
        table: str,
        last: int,
        entry: int,
        rows: list[Row],
        tokens: list[tuple[str | None, ...]],
        out: dict[str, list[Any]],
    ) -> int:
        """Number the steps, keep their sources apart; gives the last number used."""
        for position, (row, words) in enumerate(zip(rows, tokens, strict=True), 1):
            pk = last + position
            *columns, sources = row
            out.setdefault(table, []).append((pk, entry, position, *columns))
            out.setdefault(f"{table}_fts_tokens", []).append((pk, *words))
            owner = (pk, None) if table == "workarounds" else (None, pk)
            for place, url in enumerate(sources or (), 1):
                out.setdefault("step_sources", []).append((*owner, place, url))
        return last + len(rows)

    def finish(self, about: Mapping[str, str], queries: Iterable[ShippedQuery]) -> None:
        """Indexes, full text, vectors, cross-checks, and the tables that describe the file."""
        # NumPy and SciPy take a third of a second to load: only a file that is written needs them.
        from culdesac.ingest.latent import add_vectors

        execute, executemany = self._connection.execute, self._connection.executemany
        for sql in (*_statements(script("indexes")), *_statements(script("finish"))):
            execute(sql)
        executemany(statement("insert_folds"), _folds())
        executemany(statement("insert_words_tw"), sorted(words_tw().items()))
        across = (_found(pk, problem) for pk, problem in check_across(self._connection, self._options))
        executemany(own_statement("insert_found"), across)
        execute(own_statement("keep_found"))
        execute(own_statement("drop_found"))
        executemany(statement("insert_queries"), sorted((query.name, query.title, query.sql) for query in queries))
        counts = execute(own_statement("about_counts")).fetchall()
        # BM25 compares an entry's length with that of the average one.
        index = {"index/words per entry": f"{self._words / self.count if self.count else 0:.2f}"}
        if dimensions := add_vectors(self._connection, self.count):
            index["index/latent dimensions"] = str(dimensions)
        executemany(statement("insert_about"), sorted({**dict(counts), **index, **about}.items()))


def _found(pk: int, problem: Problem) -> tuple[int, str, str, str, str]:
    return pk, problem.code, problem.severity.value, problem.field, problem.message


#: Where characters stand that people type and that the index writes otherwise, as one character: letters with marks,
#: Greek and Cyrillic, raised and circled ones, radicals, kana, compatibility ideographs, full- and half-width forms.
_FOLDED = (
    (0xA0, 0x530), (0x1E00, 0x2000), (0x2070, 0x2190), (0x2460, 0x2500), (0x2E80, 0x2FE0), (0x3000, 0x3001),
    (0x3041, 0x3100), (0x3200, 0x3400), (0xF900, 0xFB00), (0xFF01, 0xFFF0),
)  # fmt: skip


@cache
def _folds() -> tuple[tuple[str, str], ...]:
    """Every such character, and every traditional one, with what the index has for it."""
    codes = {*simplified(), *(code for first, end in _FOLDED for code in range(first, end))}
    pairs = ((character, fold(character)) for character in map(chr, sorted(codes)))
    return tuple(pair for pair in pairs if len(pair[1]) == 1 and pair[0] != pair[1])


assert set(COLUMNS) == {"entries", *_PLAIN, *_UNPLACED, "transitions", "workarounds", "dead_ends"}
