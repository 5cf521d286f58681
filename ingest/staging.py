"""The meeting place of all sources: each id once, the winner of its versions.

Which version of an entry wins depends on the versions alone, never on the order they come in: the later last_updated,
then the greater canonical JSON. Its source is, among those that hold just this version, the first by name. So the
result is the same in whatever order, and however many steps, the sources were read. It lies in a scratch file, and
memory doesn't grow with the number of entries.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from culdesac.db.documents import restore
from culdesac.db.messages import _
from culdesac.db.rows import EntryRows
from culdesac.ingest.sql import script, statement

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(EntryRows).decode


@dataclass(frozen=True, slots=True)
class Changes:
    """How the staged entries differ from what the target held. `moved`: same entry, now known from another source."""

    entries: int
    added: int
    updated: int
    unchanged: int
    removed: int
    moved: int

    @property
    def any(self) -> bool:
        """Whether the target's entries must be written anew."""
        return bool(self.added or self.updated or self.removed or self.moved)


class Staging:
    """The scratch file. Close it before its file is removed."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript(script("staging"))
        self._connection.execute("BEGIN")

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def remember(self, rows: EntryRows, source: str) -> None:
        """Note an entry that the target has, for counting changes."""
        self._connection.execute(statement("remember"), (rows.column("id"), source, _digest(_encode(rows))))

    def put(self, rows: EntryRows, source: str, place: str, *, touched: bool = True) -> str | None:
        """Stage an entry. Gives None or, when another version of its id was there, which of both stays."""
        blob = _encode(rows)
        values = {
            "id": rows.column("id"),
            "updated": rows.column("last_updated") or "",
            "evidence": rows.column("evidence_count") or 0,
            "confidence": rows.column("confidence") or 0,
            "source": source,
            "place": place,
            "touched": touched,
            "digest": _digest(blob),
            "rows": blob,
        }
        if self._connection.execute(statement("stage"), values).rowcount:
            return None
        return self._meet(rows, values)

    def _meet(self, rows: EntryRows, values: dict[str, Any]) -> str | None:
        """A second version of an id: keep the one that wins."""
        staged = self._connection.execute(statement("staged_entry"), (values["id"],)).fetchone()
        updated, source, place, touched, digest, blob = staged
        if digest == values["digest"]:
            self._connection.execute(statement("touch_staged"), values)
            return None
        wins = (values["updated"], _canonical(rows)) > (updated, _canonical(_decode(blob)))
        if wins:
            self._connection.execute(statement("replace_staged"), values)
            if not touched:
                return None  # what the target had gives way to its successor: an update, and counted as one
            message = _("{id}: this version replaces that of {place} (last_updated {date})")
            return message.format(id=repr(values["id"]), place=place, date=updated or _("not given"))
        self._connection.execute(statement("touch_staged"), values | {"source": source})
        message = _("{id}: the version of {place} stays (last_updated {date})")
        return message.format(id=repr(values["id"]), place=place, date=updated or _("not given"))

    def remove(self, entry_id: str) -> int:
        """Take out an entry, or all entries of an error_id; gives how many there were."""
        return self._connection.execute(statement("remove_staged"), {"id": entry_id, "prefix": f"{entry_id}/"}).rowcount

    def changes(self) -> Changes:
        """Compare with what was remembered."""
        return Changes(*self._connection.execute(statement("count_changes")).fetchone())

    def sources(self) -> list[str]:
        """The names of the sources that entries come from, in order."""
        return [name for (name,) in self._connection.execute(statement("staged_sources"))]

    def ranked(self) -> Iterator[tuple[str, EntryRows]]:
        """(source, rows) of every entry, the best documented first: by evidence, confidence, then id."""
        self._connection.execute(statement("rank_staged"))
        for source, blob in self._connection.execute(statement("ranked")):
            yield source, _decode(blob)


def _digest(blob: bytes) -> bytes:
    return hashlib.blake2b(blob, digest_size=16).digest()


def _canonical(rows: EntryRows) -> bytes:
    return msgspec.json.encode(restore(rows), order="sorted")
