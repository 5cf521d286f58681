"""Compressed files and archives as streams. Nothing is written to disk, and no header is believed.

The parsers of the standard library meet hostile bytes here. Whatever they raise becomes a `Refused`, in one line.
"""

import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from typing import BinaryIO, Self

from culdesac.db.messages import _
from culdesac.ingest.encoding import MIB, amount, printable

CHUNK = MIB
"""How many bytes are read at a time."""
WANTED = re.compile(r"\.(?:(?:json|jsonl|ndjson)(?:\.gz)?|txt|md|markdown|html|htm)\Z", re.IGNORECASE)
"""How the name of a file ends that is looked at in folders and archives."""
_ARCHIVE = re.compile(r"\.(?:zip|whl|tar|tgz|tbz2?|txz|tar\.\w+|7z)\Z", re.IGNORECASE)
_FOLDER = "a folder"
_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
# More than any honest tar has before one member: long names and PAX records, which tarfile holds in memory.
_MAX_TAR_HEADERS = MIB
# What tarfile takes, with what it reads ahead, for one small read of a member.
_MAX_TAR_READ = 2**16
_MAX_METADATA = MIB
# Outputs of many tiny gzip members are put together to at least this.
_MIN_OUTPUT = 2**16
# In small bites: zlib copies what a member leaves behind, of which many tiny members would make a lot.
_BITE = 2**14
# zipfile holds several of these at a time.
_ZIP_CHUNK = 2**17
_ZEROS = re.compile(rb"\0+")


class Refused(ValueError):
    """Data that can't or mustn't be unpacked; `fatal` when nothing after it in the source can be read either."""

    def __init__(self, message: str, fatal: bool) -> None:
        super().__init__(message)
        self.fatal = fatal


@dataclass(slots=True)
class Member:
    """A file in an archive: read `chunks` before asking for the next one. `refused` tells why it must not be read."""

    name: str
    chunks: Iterator[bytes]
    refused: str


class Meter:
    """Counts what is unpacked from one source, and refuses bombs: every layer of packing counts."""

    def __init__(self, limit: int, ratio: int) -> None:
        """Allow `limit` bytes in all, and `ratio` bytes from each packed byte once more than 1 MiB was unpacked."""
        self._limit = limit
        self._ratio = ratio
        self._total = 0

    def count(self, size: int, unpacked: int, packed: int) -> None:
        """Count `size` bytes more; that makes `unpacked` from `packed` in this layer. Raises a fatal `Refused`."""
        self._total += size
        if self._total > self._limit:
            raise Refused(
                _("unpacks to more than {limit}; split it into smaller files").format(limit=amount(self._limit)), True
            )
        if unpacked > MIB and unpacked > self._ratio * max(packed, 1):
            raise Refused(
                _("unpacks to more than {ratio} times its size, like a bomb; not read on").format(ratio=self._ratio),
                True,
            )

    @property
    def total(self) -> int:
        """The bytes unpacked so far."""
        return self._total


def gunzip(chunks: Iterable[bytes], meter: Meter, fatal: bool) -> Iterator[bytes]:
    """Unpack gzip of one member or many. Raises `Refused` with `fatal` when it is corrupt or ends too early."""
    return _gather(_metered(_inflate(chunks, fatal), meter))


def _metered(outputs: Iterable[tuple[bytes, int]], meter: Meter) -> Iterator[bytes]:
    unpacked = packed = 0
    for output, taken in outputs:
        unpacked += len(output)
        packed += taken
        meter.count(len(output), unpacked, packed)
        yield output


def _gather(outputs: Iterable[bytes]) -> Iterator[bytes]:
    """Put small outputs together. Where they end in a `Refused`, what came before it is still given."""
    ready: list[bytes] = []
    size = 0
    problem: Refused | None = None
    try:
        for output in outputs:
            ready.append(output)
            size += len(output)
            if size >= _MIN_OUTPUT:
                yield b"".join(ready)
                ready, size = [], 0
    except Refused as refused:
        problem = refused
    if ready:
        yield b"".join(ready)
    if problem:
        raise problem


def _inflate(chunks: Iterable[bytes], fatal: bool) -> Iterator[tuple[bytes, int]]:
    """Yield outputs of at most CHUNK bytes, each with the number of packed bytes read for it."""
    member = zlib.decompressobj(wbits=31)
    fresh = True  # between members: the data may end here
    for chunk in chunks:
        view = memoryview(chunk)
        while view:
            if member.eof:
                member, fresh = zlib.decompressobj(wbits=31), True
            if fresh and (padding := _ZEROS.match(view)):
                view = view[padding.end() :]
                continue
            bite = view[:_BITE]
            try:
                output = member.decompress(bite, CHUNK)
            except zlib.error as error:
                raise Refused(_("corrupt gzip data: {reason}").format(reason=_reason(error)), fatal) from None
            taken = len(bite) - len(member.unused_data or member.unconsumed_tail)
            view, fresh = view[taken:], False
            yield output, taken
    if not (fresh or member.eof):
        yield from _flush(member, fatal)


def _flush(member: "zlib._Decompress", fatal: bool) -> Iterator[tuple[bytes, int]]:
    """Get out what the decompressor still holds after all input; then it must have reached its end."""
    while not member.eof:
        try:
            output = member.decompress(b"", CHUNK)
        except zlib.error as error:
            raise Refused(_("corrupt gzip data: {reason}").format(reason=_reason(error)), fatal) from None
        if not output:
            break
        yield output, 0
    if not member.eof:
        raise Refused(_("the gzip data ends too early; get the whole file"), fatal)


def _reason(error: BaseException) -> str:
    return printable(str(error).rpartition(": ")[2] or type(error).__name__, 100)


def unsafe(name: str) -> str:
    """Tell why the name of a member is refused; "" when it is fine."""
    if not name:
        return _("a member without a name")
    if name.startswith("/"):
        return _("an absolute path")
    if re.match(r"[A-Za-z]:", name):
        return _("a path with a drive letter")
    if "\\" in name:
        return _("a path with backslashes")
    if ".." in name.split("/"):
        return _("a path that leaves the archive (..)")
    return _("a name with a NUL character") if "\0" in name else ""


def hidden(name: str) -> bool:
    """Tell whether a file or a folder on its path is hidden, or is what macOS adds."""
    return any((part.startswith(".") and part != ".") or part == "__MACOSX" for part in name.split("/"))


def _judge(name: str, what: str) -> str | None:
    """Return why a member is refused, "" if it is to be read, None if it is passed over in silence.

    `what` it is matters when it is no ordinary file: a link, a device, or "a folder".
    """
    if problem := unsafe(name):
        return _("{problem}; not read").format(problem=problem)
    if what and what != _FOLDER:
        return _("{problem}; not read").format(problem=what)
    if what or hidden(name):
        return None
    if _ARCHIVE.search(name):
        return _("an archive within the archive; unpack it and give it on its own")
    return "" if WANTED.search(name) else None


class ZipReader:
    """The members of a zip file, in its order. `licence` is that of the wheel, once all members were read."""

    def __init__(self, file: BinaryIO, size: int, meter: Meter) -> None:
        self._file = file
        self._size = size
        self._meter = meter
        self.licence: str | None = None

    def __iter__(self) -> Iterator[Member]:
        """Yield the members to read and those refused. Raises a fatal `Refused` when the archive can't be opened."""
        try:
            archive = zipfile.ZipFile(self._file)
        except Exception as error:  # zipfile raises nearly anything on hostile bytes
            raise Refused(_("corrupt zip archive: {reason}").format(reason=_reason(error)), True) from None
        with archive:
            for info in archive.infolist():
                if _METADATA.fullmatch(info.filename):
                    self._read_licence(archive, info)
                problem = self._problem(info)
                if problem is not None:
                    yield Member(info.filename, self._read(archive, info), problem)

    def _problem(self, info: zipfile.ZipInfo) -> str | None:
        mode = stat.S_IFMT(info.external_attr >> 16)
        what = _FOLDER if info.is_dir() else ""
        if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = _("a symbolic link") if mode == stat.S_IFLNK else _("a device or other special file")
        # zipfile cuts names at a NUL; the name as it was written must be safe as well.
        problem = _judge(info.filename if unsafe(info.filename) else info.orig_filename, what)
        if problem == "" and info.flag_bits & 1:
            return _("encrypted; unpack it with its password first")
        # bzip2 and LZMA can ask for any amount of memory.
        if problem == "" and info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return _("packed with an unusual method; pack it anew with deflate")
        return problem

    def _read(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
        unpacked = 0
        try:
            with archive.open(info) as member:
                while chunk := member.read(_ZIP_CHUNK):
                    unpacked += len(chunk)
                    self._meter.count(len(chunk), unpacked, min(info.compress_size, self._size))
                    # Members may overlap: all of them together against the file.
                    self._meter.count(0, self._meter.total, self._size)
                    yield chunk
        except (Refused, GeneratorExit):
            raise
        except Exception as error:
            raise Refused(_("corrupt zip member: {reason}").format(reason=_reason(error)), False) from None

    def _read_licence(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        text = b""
        try:
            for chunk in self._read(archive, info):
                text += chunk
                if len(text) > _MAX_METADATA:
                    return
        except Refused:
            return
        header = BytesHeaderParser().parsebytes(text)
        for field in ("License-Expression", "License"):
            lines = str(header.get(field) or "").strip().splitlines()
            if lines and lines[0].strip().upper() != "UNKNOWN":
                self.licence = printable(lines[0].strip(), 200)
                return


class _TarInfo(tarfile.TarInfo):
    """Where a damaged header would pass for the end of the archive, this says so."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> Self:
        try:
            info = super().frombuf(buf, encoding, errors)  # type: ignore[arg-type]  # typeshed: encoding may be None
        except tarfile.HeaderError:
            if bytes(buf).strip(b"\0"):
                raise Refused(_("corrupt tar archive: a damaged header"), True) from None
            raise
        if info.size < 0:
            raise Refused(_("corrupt tar archive: a negative size"), True)
        return info


class _TarStream:
    """What tarfile reads from; `allowance` is how many bytes it may still take, so that no header fills the memory."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")
        self.allowance = _MAX_TAR_HEADERS

    def read(self, size: int) -> bytes:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._rest = memoryview(chunk)
        taken, self._rest = bytes(self._rest[:size]), self._rest[size:]
        self.allowance -= len(taken)
        if self.allowance < 0:
            raise Refused(_("corrupt tar archive: a header of more than 1 MiB"), True)
        return taken


def tar_members(chunks: Iterator[bytes]) -> Iterator[Member]:
    """Yield the members of a tar archive to read and those refused, in its order.

    Raises a fatal `Refused` when the archive is corrupt; what came before is good. Reads `chunks` to their end, so that
    the checksum of the gzip file around it is checked.
    """
    stream = _TarStream(chunks)
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_TarInfo) as archive:  # type: ignore[call-overload]
            while (info := _next(archive, stream)) is not None:
                problem = _judge(info.name, _special(info))
                data = _gather(_read_tar(archive, info, stream))
                if problem is not None:
                    yield Member(info.name, data, problem)
                for _ in data:  # what the reader left
                    pass
        for _ in chunks:
            pass
    except (Refused, GeneratorExit):
        raise
    except Exception as error:  # so does tarfile
        raise Refused(_("corrupt tar archive: {reason}").format(reason=_reason(error)), True) from None


def _special(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return _("a link")
    if info.issparse():
        return _("a sparse file")
    if info.isdir():
        return _FOLDER
    return "" if info.isreg() else _("a device or other special file")


def _next(archive: tarfile.TarFile, stream: _TarStream) -> tarfile.TarInfo | None:
    stream.allowance = _MAX_TAR_HEADERS
    info = archive.next()
    archive.members.clear()  # type: ignore[attr-defined]  # tarfile would keep them all
    if info is not None and info.size < 0:  # a PAX record can say so after the header
        raise Refused(_("corrupt tar archive: a negative size"), True)
    return info


def _read_tar(archive: tarfile.TarFile, info: tarfile.TarInfo, stream: _TarStream) -> Iterator[bytes]:
    stream.allowance = _MAX_TAR_READ
    try:
        file = archive.extractfile(info) if info.isreg() and not info.issparse() else None
        # Small reads, as tarfile drops what it had when it comes to the end of a truncated archive.
        while file and (data := file.read(tarfile.RECORDSIZE)):
            yield data
            stream.allowance = _MAX_TAR_READ
    except (Refused, GeneratorExit):
        raise
    except Exception as error:
        raise Refused(_("corrupt tar archive: {reason}").format(reason=_reason(error)), True) from None
