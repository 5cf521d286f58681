"""Sources, whatever their form, as one stream of records, pages and faults.

For what the user names, content decides what it is, never the name. In folders and archives the name decides whether
a file is looked at; after that, again its content.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from culdesac.db.messages import _, noted, reason
from culdesac.ingest.archives import CHUNK, WANTED, Member, Meter, Refused, ZipReader, gunzip, hidden, tar_members
from culdesac.ingest.encoding import MIB, EncodingFault, Lines, look, peek, printable, read_whole, to_utf8
from culdesac.ingest.jsontext import JsonFault, decode, is_json, kind, split

_DATABASE = b"SQLite format 3\0"
_SNIFF = 2**16
_FORMS = noted("JSON, JSON Lines, a page as .txt, .md or .html, gzip, zip or tar")


class SourceError(ValueError):
    """A source that cannot be read at all. Its text is one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one source may cost.

    `record` is the size in bytes of one record or page; `total` the bytes unpacked from one compressed source, all its
    members together; `ratio` the number of bytes that one packed byte may become, looked at once more than 1 MiB was
    unpacked.
    """

    record: int = 16 * MIB
    total: int = 4 * 2**30
    ratio: int = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: `file` is safe to print, `line` counts from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Record:
    """A decoded JSON object; `size` is its length in bytes of UTF-8."""

    place: Place
    document: dict[str, Any]
    size: int


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a file that isn't JSON, its newlines all `\\n`.

    `explicit` tells whether the user named the file: if not, and it turns out to be no entry page, nobody misses it.
    """

    place: Place
    text: str
    explicit: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that was kept out.

    `field` is a path into the record like `workarounds[0].how`, or "record" for all of it. After a `fatal` one, the
    rest of the source was not read.
    """

    place: Place
    field: str
    message: str
    fatal: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.field}: {self.message}"


Item = Record | Page | Fault


def is_database(path: Path | str) -> bool:
    """Tell whether `path` is a readable SQLite file, by its first bytes."""
    try:
        # A pipe would lose the bytes, or never give any.
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return file.read(len(_DATABASE)) == _DATABASE
    except (OSError, ValueError):
        return False


def open_source(argument: str, limits: Limits, stdin: BinaryIO) -> "Source":
    """Return the source that `argument` names: a path, or "-" for `stdin`, which is read as it comes.

    Raises `SourceError` when there is nothing at the path, or it can't be read. A database is none of its business: see
    `is_database`.
    """
    if argument == "-":
        return Source("-", "stdin", limits, stdin)
    try:
        mode = os.stat(argument).st_mode
        if stat.S_ISDIR(mode):
            os.scandir(argument).close()
        elif stat.S_ISREG(mode):
            open(argument, "rb").close()
        elif not stat.S_ISFIFO(mode):
            raise SourceError(
                _("{source}: neither a file nor a folder; give one, or - for standard input").format(
                    source=printable(argument)
                )
            )
    except SourceError:
        raise
    except FileNotFoundError:
        raise SourceError(
            _("{source}: no such file or folder; check the path").format(source=printable(argument))
        ) from None
    except (OSError, ValueError) as error:
        raise SourceError(
            _("{source}: can't be read: {reason}; check the path").format(
                source=printable(argument), reason=_reason(error)
            )
        ) from None
    name = printable(Path(argument).name or Path(argument).resolve().name or "root")
    return Source(argument, name, limits, None)


class Source:
    """One source. Iterate over it, once; then `sha256` and `licence` are known.

    `name`: its base name, or "stdin". `sha256`: of the bytes of a file or of standard input, in hex; of a folder, that
    of its sorted lines `relative/path sha256-of-file`. `licence`: what a wheel says of itself, else None.
    """

    def __init__(self, argument: str, name: str, limits: Limits, stdin: BinaryIO | None) -> None:
        self._argument = argument
        self._shown = "<stdin>" if stdin else printable(argument)
        self._limits = limits
        self._stdin = stdin
        self.name = name
        self.sha256 = ""
        self.licence: str | None = None

    def __iter__(self) -> Iterator[Item]:
        """Yield what is in it, in order. Raises `SourceError` when it can't be read, or is a folder with no files."""
        try:
            if self._stdin:
                yield from self._hashed(self._stdin)
            elif os.path.isdir(self._argument):
                yield from self._folder()
            else:
                with open(self._argument, "rb") as file:
                    yield from self._hashed(file)
        except OSError as error:
            raise SourceError(
                _("{file}: can't be read: {reason}; check the file").format(file=self._shown, reason=_reason(error))
            ) from None

    def _hashed(self, file: BinaryIO) -> Iterator[Item]:
        digest = hashlib.sha256()
        chunks = _read(file, digest)
        yield from self._packed(chunks, file)
        for _chunk in chunks:  # what was left after a fatal fault is part of the file all the same
            pass
        self.sha256 = digest.hexdigest()

    def _packed(self, chunks: Iterator[bytes], file: BinaryIO) -> Iterator[Item]:
        """Read the file named by the user: unpack it, or read it as text."""
        form, rest = look(chunks)
        meter = Meter(self._limits.total, self._limits.ratio)
        if form == "gzip":
            # Closed to the end: the checksum comes last, whatever the reader of the text made of it.
            form, rest = look(gunzip(rest, meter, True))
            if form and form != "tar":
                yield self._refuse(_("{form} within gzip; unpack it and give what is in it").format(form=form))
                return
        if form in ("zip", "tar") and self._stdin:
            raise SourceError(_("<stdin>: an archive can't be read from standard input; save it and give its path"))
        if form == "zip":
            yield from self._zip(chunks, file, meter)
        elif form == "tar":
            yield from self._members(tar_members(rest))
        elif form:
            hint = _("give its path") if form == "sqlite" else _("unpack it first")
            message = _("{form} can't be read here; {hint}. What can: {forms}")
            yield self._refuse(message.format(form=form, hint=hint, forms=_(_FORMS)))
        else:
            yield from _read_text(self._shown, rest, self._limits.record, explicit=True)

    def _refuse(self, message: str) -> Fault:
        return Fault(Place(self._shown, 1), "record", message, fatal=True)

    def _zip(self, chunks: Iterator[bytes], file: BinaryIO, meter: Meter) -> Iterator[Item]:
        if not file.seekable():
            raise SourceError(
                _("{file}: a zip archive can't be read from a pipe; save it and give its path").format(file=self._shown)
            )
        for _chunk in chunks:  # for the hash: a zip is read from its end
            pass
        reader = ZipReader(file, file.tell(), meter)
        yield from self._members(iter(reader), meter)
        self.licence = reader.licence

    def _members(self, members: Iterator[Member], meter: Meter | None = None) -> Iterator[Item]:
        meter = meter or Meter(self._limits.total, self._limits.ratio)
        empty = True
        try:
            for member in members:
                empty = False
                for item in self._member(member, meter):
                    yield item
                    if isinstance(item, Fault) and item.fatal:
                        return
        except Refused as refused:
            yield self._refuse(str(refused))
            return
        if empty:
            yield self._refuse(_("nothing in it that is read: no .json, .jsonl, .ndjson, .txt, .md or .html"))

    def _member(self, member: Member, meter: Meter) -> Iterator[Item]:
        shown = f"{self._shown}!{printable(member.name)}"
        if member.refused:
            yield Fault(Place(shown, 1), "record", member.refused)
        else:
            yield from self._file(shown, member.name, member.chunks, meter)

    def _file(self, shown: str, name: str, chunks: Iterable[bytes], meter: Meter) -> Iterator[Item]:
        """Read a file of a folder or archive: text, or packed text."""
        form, rest = look(chunks)
        if form == "gzip":
            form, rest = look(gunzip(rest, meter, False))
        if form:
            yield Fault(
                Place(shown, 1),
                "record",
                _("the name says text, the content {form}; unpack it and give it alone").format(form=form),
            )
            return
        named_json = "json" in name.lower().removesuffix(".gz").rpartition(".")[2]
        yield from _read_text(shown, rest, self._limits.record, explicit=False, named_json=named_json)

    def _folder(self) -> Iterator[Item]:
        digest = hashlib.sha256()
        empty = True
        for relative, problem in _walk(self._argument):
            empty = False
            shown = printable(os.path.join(self._argument, relative))
            if problem:
                yield Fault(Place(shown, 1), "record", problem)
                continue
            of_file = hashlib.sha256()
            try:
                with open(os.path.join(self._argument, relative), "rb") as file:
                    chunks = _read(file, of_file)
                    yield from self._file(shown, relative, chunks, Meter(self._limits.total, self._limits.ratio))
                    for _chunk in chunks:
                        pass
            except OSError as error:
                yield Fault(Place(shown, 1), "record", _("can't be read: {reason}").format(reason=_reason(error)))
                continue
            digest.update(os.fsencode(relative) + f" {of_file.hexdigest()}\n".encode())
        if empty:
            raise SourceError(
                _("{file}: an empty folder; it has no .json, .jsonl, .ndjson, .txt, .md or .html").format(
                    file=self._shown
                )
            )
        self.sha256 = digest.hexdigest()


def _read_text(
    shown: str, chunks: Iterable[bytes], limit: int, *, explicit: bool, named_json: bool = False
) -> Iterator[Item]:
    """Yield the records of a JSON text, or its one page. Whatever `chunks` raise becomes the last fault."""
    counted = Lines(chunks)
    as_json = named_json
    try:
        head, rest = peek(to_utf8(counted), _SNIFF)
        as_json = as_json or is_json(head, sure=not explicit)
        if as_json:
            yield from _records(shown, rest, limit)
        else:
            yield Page(Place(shown, 1), read_whole(rest, limit), explicit)
    except EncodingFault as fault:
        # A page that nobody named, and that is no text, is passed over.
        if as_json or explicit:
            yield Fault(Place(shown, fault.line), "record", str(fault))
    except Refused as refused:
        yield Fault(Place(shown, counted.line), "record", str(refused), refused.fatal)


def _records(shown: str, chunks: Iterator[bytes], limit: int) -> Iterator[Item]:
    for line, piece in split(chunks, limit):
        place = Place(shown, line)
        try:
            if isinstance(piece, JsonFault):
                raise piece
            document = decode(piece, line)
        except JsonFault as fault:
            yield Fault(place, fault.field, fault.message)
            continue
        if isinstance(document, dict):
            yield Record(place, document, len(piece))
        else:
            yield Fault(place, "record", _("expected an object, got {kind}").format(kind=kind(document)))


def _walk(root: str) -> Iterator[tuple[str, str]]:
    """Yield the relative paths of the files to read, in their order, each with what is wrong with it, or ""."""
    todo = [("", "")]
    while todo:
        relative, problem = todo.pop()
        if problem or (relative and not relative.endswith("/")):
            yield relative, problem
            continue
        try:
            with os.scandir(os.path.join(root, relative)) as found:
                entries = [entry for entry in found if not hidden(entry.name)]
        except OSError as error:
            yield relative or ".", _("the folder can't be read: {reason}").format(reason=_reason(error))
            continue
        # With its slash, a folder sorts like the paths in it. The last is popped first.
        names = sorted(
            ((entry.name + "/" if entry.is_dir(follow_symlinks=False) else entry.name, entry) for entry in entries),
            key=lambda pair: os.fsencode(pair[0]),
            reverse=True,
        )
        for name, entry in names:
            if entry.is_symlink():
                todo.append((relative + name, _("a symbolic link; not followed")))
            elif name.endswith("/") or (WANTED.search(name) and entry.is_file(follow_symlinks=False)):
                todo.append((relative + name, ""))


def _read(file: BinaryIO, digest: "hashlib._Hash") -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        digest.update(chunk)
        yield chunk


def _reason(error: Exception) -> str:
    return printable(reason(error), 100)
