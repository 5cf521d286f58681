"""What bytes are, and text that is safe to print. Any Unicode encoding becomes UTF-8, as a stream.

UTF-8 passes through unchecked: who decodes a record finds its bad bytes, so that they cost one record, not the file.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from culdesac.db.messages import _

MIB = 2**20

_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# Text that starts with an ASCII character, in UTF-16 or UTF-32 without a byte order mark.
_WIDE = re.compile(rb"[\t\n\r -~]\x00|\x00{1,3}[\t\n\r -~]")

_MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"SQLite format 3\0", "sqlite"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
)
_MAGIC_SIZE = 262


class EncodingFault(ValueError):
    """Bytes that aren't text in an encoding that is read. `line` counts from 1."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def peek(chunks: Iterable[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Return the first `size` bytes (fewer when there are no more), and all chunks, these bytes included.

    An error in reading them surfaces in the iterator, after what came before it.
    """
    rest = iter(chunks)
    head = b""
    try:
        while len(head) < size and (chunk := next(rest, None)) is not None:
            head += chunk
    except ValueError as error:
        return head[:size], chain([head], _raising(error))
    return head[:size], chain([head], rest)


def _raising(error: Exception) -> Iterator[bytes]:
    yield from ()  # makes this a generator: it raises when it is read, not when it is called
    raise error


def to_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text in UTF-8, without its byte order mark.

    UTF-8, and UTF-16 with a byte order mark, are read. Half a UTF-16 surrogate pair comes out as bytes that aren't
    valid UTF-8, for the decoder of the record to find. Raises `EncodingFault` for UTF-32, UTF-16 without a mark, and
    UTF-16 that ends within a character.
    """
    head, stream = peek(chunks, 4)
    if head in _UTF32:
        raise EncodingFault(_("the file is UTF-32; save it as UTF-8"))
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield from _from_utf16(stream)
        return
    if _WIDE.match(head):
        raise EncodingFault(_("the file looks like UTF-16 or UTF-32 without a byte order mark; save it as UTF-8"))
    skip = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    for chunk in stream:
        yield chunk[skip:]
        skip = 0


def _from_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    line = 1
    for chunk in chunks:
        text = decoder.decode(chunk).encode("utf-8", "surrogatepass")
        line += text.count(b"\n")
        yield text
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise EncodingFault(_("the file is UTF-16 and ends in the middle of a character"), line) from None


def decode_utf8(raw: bytes, line: int = 1) -> str:
    """Decode `raw`, whose first byte stands in `line`; raise `EncodingFault` that names the first bad byte's line."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        where = line + raw.count(b"\n", 0, error.start)
        if b"\xa0" <= raw[error.start + 1 : error.start + 2] <= b"\xbf" and raw[error.start] == 0xED:
            message = _("half a character (a lone surrogate) at line {line}; save it as UTF-8").format(line=where)
        else:
            message = _("not UTF-8: byte {byte} at line {line}; save it as UTF-8")
            message = message.format(byte=f"0x{raw[error.start]:02x}", line=where)
        raise EncodingFault(message, where) from None


def read_whole(chunks: Iterable[bytes], limit: int) -> str:
    """Read a text in UTF-8, newlines made `\\n`. Raises `EncodingFault` if it is none, or above `limit` bytes."""
    raw = bytearray()
    for chunk in chunks:
        raw += chunk
        if len(raw) > limit:
            raise EncodingFault(_("larger than {limit}, the limit for one page").format(limit=amount(limit)))
    if not raw.strip():
        raise EncodingFault(_("no records in it: the file is empty"))
    if (zero := raw.find(0)) >= 0:
        raise EncodingFault(_("neither JSON nor text: it has NUL bytes"), 1 + raw.count(b"\n", 0, zero))
    return decode_utf8(bytes(raw)).replace("\r\n", "\n").replace("\r", "\n")


class Lines:
    """Passes chunks on and counts lines, to know where they stopped."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self.line = 1

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            yield chunk
            self.line += chunk.count(b"\n")


def magic(head: bytes) -> str:
    """Tell by its first bytes (262 are enough) what kind of packed file this is: "" when it is none."""
    for start, name in _MAGIC:
        if head.startswith(start):
            return name
    return "tar" if head[257:262] == b"ustar" else ""


def look(chunks: Iterable[bytes]) -> tuple[str, Iterator[bytes]]:
    """Return what `magic` says, and all the chunks."""
    head, rest = peek(chunks, _MAGIC_SIZE)
    return magic(head), rest


def printable(text: str, width: int = 0) -> str:
    """Return `text` in one line without control, bidirectional or undecodable characters.

    They become escapes like `\\n` and `\\udcff`. With `width`, more than that many characters are cut off.
    """
    cut = bool(width) and len(text) > width
    if cut:
        text = text[:width]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text + "…" if cut else text


def amount(size: int) -> str:
    """Return a number of bytes for reading: `16 MiB`, `1.5 GiB`, `300 bytes`.

    >>> amount(16 * 2**20)
    '16 MiB'
    """
    for unit, name in ((2**30, "GiB"), (MIB, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"
