"""What several commands share: finding the database, reading input, ending with one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from culdesac.db.messages import _

_F = TypeVar("_F", bound=Callable[..., Any])

#: Of piped input the first and the last so many bytes are read into a query; what lies between is skipped.
_KEPT = 1 << 20


class Stop(click.ClickException):
    """One line to standard error and exit code 2: what is wrong, where, what to do."""

    exit_code = 2


def database_option(command: _F) -> _F:
    """The option `--db`."""
    return click.option(
        "--db",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="The database. Else $CULDESAC_DB, else ./errors.db, else the one in your data folder.",
    )(command)


def default_database() -> Path:
    """Where a command looks that is given no `--db`, and where `ingest` writes."""
    if named := os.environ.get("CULDESAC_DB"):
        return Path(named)
    here = Path("errors.db")
    if here.exists():
        return here
    import platformdirs

    return platformdirs.user_data_path("culdesac") / "errors.db"


def existing_database(option: Path | None) -> Path:
    """The database to read. Raises Stop with the command that makes one when there is none."""
    path = option or default_database()
    if path.exists():
        return path
    command = f"culdesac ingest --sample{f' --db {path}' if option else ''}"
    raise Stop(_("{path}: no database there yet; make one with: {command}").format(path=path, command=command))


def read_input(stream: BinaryIO) -> str:
    """All that is piped in, as text; of more than 2 MiB the first and the last 1 MiB. Never fails on any bytes."""
    head = stream.read(_KEPT)
    tail = b""
    while chunk := stream.read(_KEPT):
        tail = (tail + chunk)[-_KEPT:]
    return decode(head + tail)


def decode(data: bytes) -> str:
    """Text of bytes in UTF-8, or UTF-16 with a byte order mark, as PowerShell pipes it."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return data.decode(encoding, "replace")


def stdin() -> BinaryIO:
    """Standard input as bytes."""
    return sys.stdin.buffer if sys.stdin else open(os.devnull, "rb")
