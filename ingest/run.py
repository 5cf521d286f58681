"""One ingest from end to end: what the target holds and what the sources hold meet, and the target is written anew.

The target itself is just the first source. Nothing is written when nothing changed, and nothing is lost when
something fails: the new file is made beside the old one.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

import msgspec

from culdesac import __version__
from culdesac.db import segment
from culdesac.db.documents import BadDocument, flatten, restore
from culdesac.db.file import SCHEMA_VERSION, open_readonly
from culdesac.db.messages import _
from culdesac.db.publish import Workplace, publish, workplace
from culdesac.db.read import read_all
from culdesac.db.rows import EntryRows
from culdesac.db.text import SEGMENTATION
from culdesac.ingest.build import Progress, ShippedQuery, build
from culdesac.ingest.checks import CheckOptions
from culdesac.ingest.page import PageError, looks_like_page, read_page_with_notes
from culdesac.ingest.sources import Fault, Limits, Page, Place, Record, SourceError, is_database, open_source
from culdesac.ingest.sql import statement
from culdesac.ingest.staging import Changes, Staging

SAMPLE = Path(__file__).parent / "sample" / "sample.jsonl"
SAMPLE_LICENCE = "CC BY 4.0"


class IngestError(ValueError):
    """Nothing was written. One line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to ingest. `licence` is noted for the sources of this run that don't say theirs."""

    limits: Limits = field(default_factory=Limits)
    checks: CheckOptions = field(default_factory=CheckOptions)
    prune: bool = False
    strict: bool = False
    licence: str | None = None


@dataclass(slots=True)
class Report:
    """What an ingest did. `superseded` versions of an entry gave way to another one; `rejected` records are not in."""

    changes: Changes = field(default_factory=lambda: Changes(0, 0, 0, 0, 0, 0))
    rejected: int = 0
    superseded: int = 0
    kept: bool = False
    written: bool = False


@dataclass(slots=True)
class _Sources:
    """Name, digests and licences of what was read, for `about`."""

    digests: dict[str, set[str]] = field(default_factory=dict)
    licences: dict[str, set[str]] = field(default_factory=dict)

    def add(self, name: str, digest: str | None, licence: str | None) -> None:
        if digest:
            self.digests.setdefault(name, set()).update(digest.split())
        if licence:
            self.licences.setdefault(name, set()).add(licence)

    def about(self, used: Sequence[str]) -> dict[str, str]:
        """The lines of `about` for the sources that entries still come from."""
        lines = {}
        for name in used:
            lines[f"source/{name}/sha256"] = " ".join(sorted(self.digests.get(name, ())))
            if name in self.licences:
                lines[f"source/{name}/licence"] = "; ".join(sorted(self.licences[name]))
        return lines


@contextmanager
def _without_collector() -> Iterator[None]:
    """Rows form no cycles: looking for some in millions of them takes a fifth of an ingest and finds nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Ingest:
    """One run. `on_fault` hears of every record that is kept out and every version that gives way, as it happens."""

    def __init__(
        self,
        options: Options,
        on_fault: Callable[[Fault], None],
        progress: Progress,
        stdin: BinaryIO,
        queries: Sequence[ShippedQuery] = (),
    ) -> None:
        self._options = options
        self._on_fault = on_fault
        self._progress = progress
        self._stdin = stdin
        self._queries = queries
        self._sources = _Sources()
        self._read = 0
        self.report = Report()

    def run(self, arguments: Sequence[str], target: Path, remove: Sequence[str] = ()) -> Report:
        """Ingest the sources into the target, and take the entries named by `remove` out of it.

        Raises IngestError or FileError when nothing was written: a source that can't be read, a target that isn't
        ours or can't be written, no entry at all, or (strict) a rejected record.
        """
        with workplace(target) as place, _without_collector():
            staging = Staging(place.staging)
            try:
                return self._run(arguments, place, staging, remove)
            except (OSError, sqlite3.Error) as error:
                raise IngestError(
                    _("{path}: can't be written: {reason}; the old file stays as it was").format(
                        path=target, reason=error
                    )
                ) from None
            finally:
                staging.close()

    def _run(self, arguments: Sequence[str], place: Workplace, staging: Staging, remove: Sequence[str]) -> Report:
        report = self.report
        old_about = self._old(place.target, staging)
        for argument in arguments:
            self._source(argument, staging)
        for entry_id in remove:
            if not staging.remove(entry_id):
                raise IngestError(
                    _("{id}: no entry or error of that id in {file}; nothing was removed").format(
                        id=entry_id, file=place.target.name
                    )
                )
        if report.rejected and self._options.strict:
            raise IngestError(
                _("{count} rejected, and --strict refuses the lot: nothing was written").format(count=report.rejected)
            )
        if self._options.prune and report.rejected and old_about is not None:
            # A record that is broken today may be one of those that the file has: pruning would lose it.
            report.kept = True
            self._old(place.target, staging, prune=False)
        report.changes = staging.changes()
        if not report.changes.entries and not remove:
            raise IngestError(_("no entry could be loaded: nothing was written"))
        about = self._about(staging)
        if not report.changes.any and about == old_about:
            return report
        total, checks = report.changes.entries, self._options.checks
        build(place.building, staging.ranked(), about, self._queries, checks, total, self._progress)
        publish(place)
        report.written = True
        return report

    def _old(self, target: Path, staging: Staging, prune: bool | None = None) -> dict[str, str] | None:
        """Take in what the target holds (when pruning: only remember it); gives its `about`, None without a target."""
        if not target.exists():
            return None
        prune = self._options.prune if prune is None else prune
        with closing(open_readonly(target)) as connection:
            for rows, source, place in self._stored(connection, target.name):
                if isinstance(rows, Fault):
                    raise IngestError(
                        _("{path}: {field}: {message}; the file was changed by hand: mend it there").format(
                            path=target, field=rows.field, message=rows.message
                        )
                    )
                staging.remember(rows, source)
                if not prune:
                    staging.put(rows, source, str(place), touched=False)
            about = dict(connection.execute(statement("read_about")).fetchall())
        if not prune:
            self._learn_sources(about)
        return {key: value for key, value in about.items() if not key.startswith(("count/", "index/"))}

    def _learn_sources(self, about: dict[str, str]) -> None:
        for key, value in about.items():
            kind, _, rest = key.partition("/")
            name, _, what = rest.rpartition("/")
            if kind == "source" and what == "sha256":
                self._sources.add(name, value, about.get(f"source/{name}/licence"))

    def _stored(self, connection: sqlite3.Connection, file: str) -> Iterator[tuple[EntryRows | Fault, str, Place]]:
        """Every entry of an open file, as if its document had just been read."""
        unread: list[Fault] = []

        def note(pk: int, message: str) -> None:
            unread.append(
                Fault(
                    Place(file, pk),
                    "record",
                    _("can't be read: {reason}").format(reason=message.splitlines()[0]),
                )
            )

        for stored in read_all(connection, note):
            place = Place(file, stored.pk)
            try:
                document = restore(stored.rows)
                size = len(msgspec.json.encode(document))
                if size > self._options.limits.record:
                    message = _("larger than {limit} bytes, the limit for one record")
                    limit = message.format(limit=f"{self._options.limits.record:,}")
                    yield Fault(place, "record", limit), "", place
                    continue
                yield flatten(document, stored.rows.column("dialect")), str(stored.source), place
            except BadDocument as error:
                yield Fault(place, error.field, error.message), "", place
            except (KeyError, ValueError, TypeError, AttributeError, msgspec.MsgspecError) as error:
                yield Fault(place, "record", _("the row can't be an entry: {reason}").format(reason=error)), "", place
        for fault in unread:
            yield fault, "", fault.place

    def _source(self, argument: str, staging: Staging) -> None:
        try:
            if argument != "-" and is_database(Path(argument)):
                self._database(Path(argument), staging)
                return
            source = open_source(argument, self._options.limits, self._stdin)
            for item in source:
                self._item(item, source.name, staging)
        except SourceError as error:
            raise IngestError(str(error)) from None
        licence = SAMPLE_LICENCE if argument == str(SAMPLE) else source.licence or self._options.licence
        self._sources.add(source.name, source.sha256, licence)

    def _database(self, path: Path, staging: Staging) -> None:
        """Another Culdesac file: its entries keep the sources that they came from."""
        try:
            with closing(open_readonly(path)) as connection:
                for rows, source, place in self._stored(connection, str(path)):
                    if isinstance(rows, Fault):
                        self._reject(rows)
                    else:
                        self._put(rows, source, place, staging)
                self._learn_sources(dict(connection.execute(statement("read_about")).fetchall()))
        except sqlite3.Error as error:
            raise IngestError(
                _("{path}: damaged: {reason}; nothing was written").format(path=path, reason=error)
            ) from None

    def _item(self, item: Record | Page | Fault, source: str, staging: Staging) -> None:
        if isinstance(item, Fault):
            self._reject(item)
            return
        try:
            if isinstance(item, Page):
                if not item.explicit and not looks_like_page(item.text):
                    return
                document, notes = read_page_with_notes(item.text)
                for note in notes:
                    self._on_fault(Fault(item.place, "note", note))
            else:
                document = item.document
            self._put(flatten(document), source, item.place, staging)
        except BadDocument as error:
            self._reject(Fault(item.place, error.field, error.message))
        except PageError as error:
            if isinstance(item, Page) and item.explicit:
                self._reject(Fault(item.place, "page", str(error)))

    def _put(self, rows: EntryRows, source: str, place: Place, staging: Staging) -> None:
        self._read += 1
        if not self._read % 500:
            self._progress("read", self._read, 0)
        verdict = staging.put(rows, source, str(place))
        if verdict:
            self.report.superseded += 1
            self._on_fault(Fault(place, "id", verdict))

    def _reject(self, fault: Fault) -> None:
        self.report.rejected += 1
        self._on_fault(fault)

    def _about(self, staging: Staging) -> dict[str, str]:
        dictionary, digest = segment.dictionary()
        return {
            "culdesac": __version__,
            "schema version": str(SCHEMA_VERSION),
            "tokenizer": SEGMENTATION,
            "tokenizer dictionary": dictionary,
            "tokenizer dictionary sha256": digest,
            "fold": f"NFKC, lower case, no marks, OpenCC {version('opencc')} t2s by character",
            **self._sources.about(staging.sources()),
        }
