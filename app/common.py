"""What several commands share: finding the database, reading input, ending with one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from culdesac.db.messages import _

_F = TypeVar("_F", bound=Callable[..., Any])

#: Of piped input the first and the last so many bytes are read into a query; what lies between is skipped.
_KEPT = 1 << 20
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BEYOND_ASCII = bytes(range(0x80, 0x100))


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
    """All that is piped in, as text; of more than 2 MiB the first and the last 1 MiB. Never fails on any bytes.

    What isn't UTF-8 is told on standard error, and as what it was read.
    """
    head = stream.read(_KEPT)
    tail = b""
    skipped = False
    while chunk := stream.read(_KEPT):
        skipped = skipped or len(tail + chunk) > _KEPT
        tail = (tail + chunk)[-_KEPT:]
    if skipped and not head.startswith(_UTF_16):
        # Where something was skipped stands half a character, perhaps.
        head, tail = head.rstrip(_BEYOND_ASCII), tail.lstrip(_BEYOND_ASCII)
    text, note = decode(head + tail)
    if note:
        click.echo(note, err=True)
    return text


def decode(data: bytes) -> tuple[str, str]:
    """Text of bytes, and a note for the reader where they are no UTF-8.

    UTF-16 with a byte order mark is read without a word, as PowerShell pipes it. Chinese in GB18030, or GBK, of which
    that is a superset, is recognised; of anything else replacement characters take the place of what can't be read.
    """
    if data.startswith(_UTF_16):
        return data.decode("utf-16", "replace"), ""
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig"), ""
    text = data.decode("utf-8-sig", "replace")
    with suppress(UnicodeDecodeError):
        chinese = data.decode("gb18030")
        if _is_chinese(chinese) and not _is_mostly_utf8(text):
            return chinese, _("Note: the input isn't UTF-8; it was read as GB18030, an encoding of Chinese.")
    return text, _("Note: not all of the input is UTF-8; what isn't was read as \ufffd.")


def _is_chinese(text: str) -> bool:
    """Whether at least half of what isn't ASCII is a frequent character: one of the first level of GB 2312, or of its
    punctuation. Bytes of another encoding give rare ones: GB18030 has a character for nearly any two."""
    beyond = [character.encode("gb18030") for character in text if not character.isascii()]
    frequent = sum(len(code) == 2 and 0xA1 <= code[0] <= 0xD7 and code[1] >= 0xA1 for code in beyond)
    return 2 * frequent >= len(beyond)


def _is_mostly_utf8(text: str) -> bool:
    """Whether more of what isn't ASCII could be read as UTF-8 than not: a log with some broken bytes."""
    beyond = sum(not character.isascii() for character in text)
    return 2 * text.count("\ufffd") < beyond


def stdin() -> BinaryIO:
    """Standard input as bytes."""
    return sys.stdin.buffer if sys.stdin else open(os.devnull, "rb")
