"""JSON text as a stream of records: where one ends and the next begins.

The text is an array, or values one after another: JSON Lines, or objects printed over many lines. Nothing here decodes.
Speed comes from two facts: in valid JSON `{` follows only `[`, `,` or `:`, so a line that ends with `}` before one that
starts with `{` is whole; and no string holds a raw newline, so damage to a string ends with its line. Both also tell
where to go on after a broken record. A decoder of streams (ijson) was rejected: it stops at the first error for good.
"""

import re
from collections.abc import Iterable, Iterator

from culdesac.db.messages import _
from culdesac.ingest.encoding import MIB, amount, printable
from culdesac.ingest.jsonvalue import JsonFault, decode, kind

__all__ = ["JsonFault", "Piece", "decode", "is_json", "kind", "split"]

Piece = tuple[int, bytes | JsonFault]
"""The line where a record starts, counted from 1, and its bytes, or what is wrong between or with the records."""

_BLANK = re.compile(rb"(?:[ \t\r\n]|\xef\xbb\xbf)*+")
# A string ends with its quote or its line. Stops before a bracket, a string that the buffer cuts off, or the end.
_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]++|"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+(?:"|\\?(?=\n)))*+')
_IN_STRING = re.compile(rb'[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+')
_SEVERAL = re.compile(rb"\}[ \t]*\{")
_LINE_WITH_OBJECT = re.compile(rb"\n([ \t]*+)\{")
# What stands in an array where an element should: a string or a number, up to the next comma, or anything else.
_STRAY = re.compile(rb'(?:"(?:[^"\\\n]|\\[^\n])*+"?|[^,\]{\n])++')
# A page can start with a bracket, like `[console_scripts]` or a Markdown link: what follows must fit, too.
_JSON = re.compile(rb'\s*+(?:\{|\[\s*+(?:[\[{\]"]|-?\d|true|false|null|\Z))')
# In folders and archives nobody said that a .txt is ours: this much has to look like it.
_SURELY_JSON = re.compile(rb'\s*+(?:\{\s*+["}]|\[\s*+(?:\{\s*+["}]|\]))')

_OPEN_OBJECT, _OPEN_ARRAY, _CLOSE_OBJECT, _CLOSE_ARRAY, _COMMA = b"{[}],"
_QUOTE, _NEWLINE, _BACKSLASH = b'"\n\\'
# Lines up to this length get the quick way, and what is no record is cut into pieces of this.
_LINE_LIMIT = 2**16
# How many open brackets are kept to be matched, more than a record may have; deeper ones are only counted.
_LEVELS = 1024
# How far to look back for the token before a bracket.
_LOOK_BACK = 256


def is_json(head: bytes, sure: bool) -> bool:
    """Tell by the first bytes of a text, 64 KiB or all of it, whether to read it as JSON.

    With `sure`, only if it can hardly be anything else: nobody said that it is one of ours.
    """
    if sure:
        return bool(_SURELY_JSON.match(head))
    if _JSON.match(head):
        return True
    if head.lstrip().startswith(b"<"):
        return False
    # JSON Lines whose first line is damaged.
    lines = [line.strip() for line in head[: head.rfind(b"\n") + 1].splitlines()]
    objects = sum(line.startswith(b'{"') and line.endswith(b"}") for line in lines)
    return objects * 2 >= sum(map(bool, lines)) > 0


def split(chunks: Iterable[bytes], limit: int = 16 * MIB) -> Iterator[Piece]:
    """Yield the elements of top-level arrays and the other top-level values, undecoded, each with its line.

    A piece may be broken or no object: `decode` says so. Records of more than `limit` bytes come as a fault and are
    never held in memory, which stays below `limit` plus two chunks. Time is linear in the size of the text, whatever it
    holds. Errors raised by `chunks` pass through, after every record that was complete before them.
    """
    return _Splitter(chunks, limit).run()


def _end(pattern: re.Pattern[bytes], text: bytes, position: int) -> int:
    """Return where the match at `position` ends; a match may be empty."""
    match = pattern.match(text, position)
    return match.end() if match else position


class _Splitter:
    def __init__(self, chunks: Iterable[bytes], limit: int) -> None:
        self._chunks = iter(chunks)
        self._limit = limit
        self._buffer = b""
        self._base = 0  # offset in the text of buffer[0]
        self._position = 0  # of the next byte to go, in the buffer
        self._scanned = 0  # the buffer is scanned for brackets up to here
        self._in_string = False  # ... where a string is open
        self._line = 1
        self._line_start = 0  # offset in the text of the line of `position`
        self._rescanned = 0
        self._array = False  # within a top-level array
        self._was_cut = False  # the last record, at a guess
        self._complained = False  # about commas; once a text is enough

    def run(self) -> Iterator[Piece]:
        previous = 0  # the byte, or first byte of the value, before this one
        empty = True
        while self._skip_blank():
            byte, line = self._buffer[self._position], self._line
            empty = False
            if complaint := self._commas(byte, previous):
                yield line, complaint
            if byte == _COMMA or (byte == _CLOSE_ARRAY and self._array) or (byte == _OPEN_ARRAY and not self._array):
                self._array = byte == _OPEN_ARRAY or (byte == _COMMA and self._array)
                self._move(self._position + 1)
            elif byte in (_OPEN_OBJECT, _OPEN_ARRAY):
                yield line, self._value()
            else:
                stray = self._stray()
                if previous == _CLOSE_ARRAY and not self._array:
                    shown = printable(stray.decode("utf-8", "replace"), 40)
                    yield line, JsonFault("record", _("text after the end of the array: {shown}").format(shown=shown))
                else:
                    yield line, stray
            # The comma after a broken record may have gone with it.
            previous = 0 if self._was_cut else byte
            self._was_cut = False
        if empty:
            yield 1, JsonFault("record", _("no records in it: the file is empty"))
        elif self._array:
            yield self._line, JsonFault("record", _("the array is not closed: the file ends before its ]"))

    def _commas(self, byte: int, previous: int) -> JsonFault | None:
        """Complain, once, of commas that are missing or too many; the records around them are read all the same."""
        between = previous not in (0, _COMMA, _OPEN_ARRAY)
        if byte == _COMMA:
            wrong = _("a comma outside an array") if not self._array else "" if between else _("a comma too many")
        elif byte == _CLOSE_ARRAY:
            wrong = _("a comma too many") if self._array and previous == _COMMA else ""
        else:
            wrong = _("a comma is missing before this") if self._array and between else ""
        if not wrong or self._complained:
            return None
        self._complained = True
        return JsonFault("record", _("{wrong} (said once; the records are read all the same)").format(wrong=wrong))

    def _more(self) -> bool:
        """Read a chunk and forget what is behind `position`. False at the end."""
        chunk = next(self._chunks, None)
        if chunk is None:
            return False
        self._buffer = self._buffer[self._position :] + chunk
        self._base += self._position
        self._scanned -= self._position
        self._position = 0
        return True

    def _move(self, position: int) -> None:
        lines = self._buffer.count(b"\n", self._position, position)
        if lines:
            self._line += lines
            self._line_start = self._base + self._buffer.rfind(b"\n", self._position, position) + 1
        self._position = position

    def _skip_blank(self) -> bool:
        """Go to the next byte that isn't blank. False at the end."""
        while True:
            self._move(_end(_BLANK, self._buffer, self._position))
            rest = len(self._buffer) - self._position
            # A byte order mark, as between files put one after another, may be cut off.
            if rest and (rest > 2 or self._buffer[self._position] != 0xEF):
                return True
            if not self._more():
                return rest > 0

    def _value(self) -> bytes | JsonFault:
        """Pass an object, or an array within an array, and return its bytes."""
        if not self._array and (line := self._whole_line()):
            return line
        start = self._base + self._position
        column = start - self._line_start
        self._scanned, self._in_string = self._position, False
        expected = bytearray()  # the brackets that have to come, the next one last
        deeper = 0  # levels that are too deep to keep their brackets
        while (at := self._find_bracket(start)) >= 0:
            byte = self._buffer[at]
            if byte in (_OPEN_OBJECT, _OPEN_ARRAY):
                if expected and byte == _OPEN_OBJECT and self._is_new_record(at, column):
                    return self._cut(start, at, column)
                if len(expected) == _LEVELS:
                    deeper += 1
                else:
                    expected.append(byte + 2)  # in ASCII, the closing bracket is two behind the opening one
            elif deeper:
                deeper -= 1
            elif byte == expected[-1]:
                expected.pop()
            elif (match := expected.rfind(byte)) >= 0:
                del expected[match:]
            elif byte == _CLOSE_ARRAY and self._array:
                return self._cut(start, at, column)
            self._scanned = at + 1
            if not expected:
                return self._take(start, at + 1)
        return self._cut(start, len(self._buffer), column)

    def _whole_line(self) -> bytes | None:
        """Pass the line and return it if it is sure to be one whole value: the way of nearly all JSON Lines."""
        end = self._buffer.find(b"\n", self._position, self._position + _LINE_LIMIT)
        if end < 0 and len(self._buffer) - self._position < _LINE_LIMIT and self._more():
            end = self._buffer.find(b"\n", self._position, self._position + _LINE_LIMIT)
        if end < 0 or not self._buffer.startswith(b"{", end + 1):
            return None
        line = self._buffer[self._position : end].rstrip(b" \t\r")
        if not line.endswith(b"}") or len(line) > self._limit or _SEVERAL.search(line):
            return None
        self._position = end + 1
        self._line += 1
        self._line_start = self._base + end + 1
        return line

    def _find_bracket(self, start: int) -> int:
        """Return where in the buffer the next bracket outside strings is, -1 if none is left.

        What makes the record that begins at `start` in the text larger than the limit is forgotten on the way.
        """
        while True:
            if self._in_string:
                self._leave_string()
            if not self._in_string:
                self._scanned = _end(_TO_BRACKET, self._buffer, self._scanned)
                if self._scanned < len(self._buffer):
                    if self._buffer[self._scanned] != _QUOTE:
                        return self._scanned
                    self._in_string = True
                    self._scanned += 1
                    continue
            if self._base + self._scanned - start > self._limit:
                self._move(max(self._position, self._scanned - _LOOK_BACK))
            if not self._more():
                return -1

    def _leave_string(self) -> None:
        self._scanned = end = _end(_IN_STRING, self._buffer, self._scanned)
        if end == len(self._buffer) or (self._buffer[end] == _BACKSLASH and end + 1 == len(self._buffer)):
            return
        self._in_string = False
        if self._buffer[end] != _NEWLINE:
            self._scanned += 1

    def _is_new_record(self, at: int, column: int) -> bool:
        """Tell whether the object at `at` can't belong to the record around it, and starts a line like a record."""
        newline = self._buffer.rfind(b"\n", max(self._position, at - column - 1), at)
        if newline < 0 or self._buffer[newline + 1 : at].strip(b" \t"):
            return False
        before = self._buffer[max(self._position, newline - _LOOK_BACK) : newline].rstrip()
        return bool(before) and before[-1] not in b"[,:"

    def _cut(self, start: int, end: int, column: int) -> bytes | JsonFault:
        """End a broken record before the next line that starts an object no further right than this, else at `end`."""
        self._was_cut = True
        if self._base + self._position == start:
            for line in _LINE_WITH_OBJECT.finditer(self._buffer, self._position, end + 1):
                again = end - line.start()
                # Going back is what could take more than linear time.
                if len(line[1]) <= column and self._rescanned + again <= 4 * (self._base + end) + MIB:
                    self._rescanned += again
                    end = line.start() + 1
                    break
        return self._take(start, end)

    def _take(self, start: int, end: int) -> bytes | JsonFault:
        size = self._base + end - start
        taken = self._buffer[self._position : end]
        self._move(end)
        if size > self._limit:
            return JsonFault(
                "record", _("larger than {limit}, the limit for one record").format(limit=amount(self._limit))
            )
        return taken.rstrip()

    def _stray(self) -> bytes:
        """Pass what is neither object nor array, at most a line of it."""
        while (stop := self._buffer.find(b"\n", self._position, self._position + _LINE_LIMIT)) < 0:
            if len(self._buffer) - self._position >= _LINE_LIMIT or not self._more():
                stop = min(len(self._buffer), self._position + _LINE_LIMIT)
                break
        if self._array:
            stray = _STRAY.match(self._buffer, self._position, stop)
            stop = stray.end() if stray else self._position + 1
        taken = self._buffer[self._position : stop]
        self._move(stop)
        return taken.rstrip()
