"""Replacing a file so that a reader sees the old one or the new one, whole, and a crash leaves the old one.

The new file is built beside the old one under a fixed hidden name, checked, flushed to the disk, and renamed over it.
A lock file keeps a second writer out; it holds an operating system lock, so one left by a killed process is no
obstacle. What a killed process left half built is overwritten by the next, and no reader ever looks at it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from culdesac.db.file import FileError
from culdesac.db.messages import _, reason
from culdesac.db.sql import script


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a new file is made: the target (links resolved) and two names beside it, for use under the lock."""

    target: Path
    building: Path
    staging: Path

    def clear(self) -> None:
        """Remove what is half built, by this process or by one that was killed."""
        for path in (self.building, self.staging):
            for suffix in ("", "-journal", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def workplace(path: Path) -> Iterator[Workplace]:
    """Lock `path` against other writers and give a place to build its successor.

    Raises FileError when another process holds the lock or the folder can't be written.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise FileError(_("{path}: is a folder; name a file: --db {file}").format(path=path, file=path / "errors.db"))
    hidden = f".{target.name}"
    place = Workplace(target, target.with_name(f"{hidden}.building"), target.with_name(f"{hidden}.staging"))
    lock = target.with_name(f"{hidden}.lock")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _lock(lock, path)
    except OSError as error:
        raise FileError(
            _("{path}: can't write there: {reason}; choose another place with --db").format(
                path=path, reason=reason(error)
            )
        ) from None
    try:
        place.clear()
        yield place
    finally:
        place.clear()
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def _lock(lock: Path, path: Path) -> int:
    """Take the lock, on the file that stands under its name now (its last holder may have removed what we opened)."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FileError(
                _("{path}: another process is writing it; wait until that is done and run this again").format(path=path)
            ) from None
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)


def verify(connection: sqlite3.Connection) -> None:
    """Check a finished file: pages, full-text indexes against their tokens, foreign keys. Raises FileError."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise FileError(_("the new file is damaged: {answer}; the old one stays").format(answer=answer))
    connection.executescript(script("integrity"))
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken:
        raise FileError(_("the new file has a broken reference in {table}; the old one stays").format(table=broken[0]))


def publish(place: Workplace) -> None:
    """Put the finished file in the target's place, with its permissions. Raises OSError, and the old file stays."""
    with contextlib.suppress(FileNotFoundError):
        os.chmod(place.building, place.target.stat().st_mode & 0o7777)
    _flush(place.building)
    os.replace(place.building, place.target)
    _flush(place.target.parent)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
