"""One JSON value, decoded strictly: what another reader would take differently, or couldn't take, is refused.

msgspec decodes; what it lets pass is found by comparing counts, so that a good record costs next to nothing extra. Only
when something is wrong does the standard library's decoder look at the value again, to say what and where.
"""

import json
import math
import re
from typing import Any, NoReturn

import msgspec

from culdesac.db.messages import _, noted
from culdesac.ingest.encoding import EncodingFault, decode_utf8, printable

MAX_DEPTH = 200
"""How many arrays and objects may stand in each other."""
MAX_DIGITS = 4300
"""How many digits a whole number may have: more, and Python refuses to print it."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[{}\[\]]', re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_PLAIN_KEY = re.compile(r"[\w-]+")
# The wording of json.JSONDecodeError, by how it begins, in ours.
_WORDING = (
    ("Unterminated string", noted("a string is not closed")),
    ("Invalid control character", noted("a control character in a string; write it as an escape, like \\n")),
    ("Invalid \\u", noted("a \\u escape without four hexadecimal digits")),
    ("Invalid \\", noted("a \\ that starts no escape; write it as \\\\")),
    ("Expecting property name", noted("expected a key in double quotes")),
    ("Illegal trailing comma", noted("a comma too many")),
    ("Expecting value", noted("expected a value")),
    ("Extra data", noted("the record ends here, but the text goes on")),
    ("Expecting ',' delimiter", noted("expected a comma or a closing bracket")),
    ("Expecting ':' delimiter", noted("expected a colon")),
)


class JsonFault(ValueError):
    """What is wrong with a record: `field` is a path like `workarounds[0].how`, or "record"; `message` is one line."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def decode(raw: bytes, line: int = 1) -> Any:
    """Decode one JSON value in UTF-8 whose first byte stands in `line`; whole numbers stay exact.

    Raises `JsonFault`, and nothing else, for what is malformed or not UTF-8, a key given twice, NaN and Infinity, a
    number beyond what a double or MAX_DIGITS holds, half a surrogate pair, a NUL character, more than MAX_DEPTH levels.
    """
    try:
        value = msgspec.json.decode(raw)
        # A key given twice leaves fewer strings in the tree than in the text.
        good = b"\\u0000" not in raw and _strings(msgspec.json.encode(value)) == _strings(raw)
    except (ValueError, RecursionError):
        good = False
    if good and raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return value
    return _decode_slowly(raw, line, good)


def kind(value: Any) -> str:
    """Return what JSON calls the value, with its article: `an array`, `a number`.

    >>> kind([])
    'an array'
    """
    match value:
        case dict():
            return _("an object")
        case list():
            return _("an array")
        case str():
            return _("a string")
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case _number:
            return _("a number")


def _strings(text: bytes) -> int:
    """Return twice the number of strings in valid JSON."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return text.count(b'"')


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written, keys given twice included."""


class _Bad:
    """Stands in the tree for a number that can't be taken, until the walk has its path."""

    def __init__(self, message: str) -> None:
        self.message = message


def _decode_slowly(raw: bytes, line: int, only_depth: bool) -> Any:
    if _depth(raw) > MAX_DEPTH:
        raise JsonFault("record", _("nested more than {depth} levels deep").format(depth=MAX_DEPTH))
    if only_depth:
        return msgspec.json.decode(raw)
    try:
        text = decode_utf8(raw, line)
    except EncodingFault as fault:
        raise JsonFault("record", str(fault)) from None
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs, parse_int=_whole, parse_float=_float, parse_constant=_constant)
    try:
        tree = decoder.decode(text)
    except json.JSONDecodeError as error:
        raise JsonFault("record", _wording(error, line)) from None
    _walk(tree)
    return json.loads(text)


def _depth(raw: bytes) -> int:
    depth = deepest = 0
    for token in _TOKEN.finditer(raw):
        if token[0] in (b"{", b"["):
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in (b"}", b"]"):
            depth -= 1
    return deepest


def _whole(digits: str) -> int | _Bad:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        return _Bad(_("a number of more than {digits} digits; give it as a string").format(digits=MAX_DIGITS))
    return int(digits)


def _float(digits: str) -> float | _Bad:
    number = float(digits)
    if math.isfinite(number):
        return number
    return _Bad(_("the number {number} is out of range").format(number=printable(digits, 40)))


def _constant(name: str) -> _Bad:
    return _Bad(_("{name} is not JSON; leave the field out or give null").format(name=name))


def _wording(error: json.JSONDecodeError, line: int) -> str:
    said = next((_(ours) for theirs, ours in _WORDING if error.msg.startswith(theirs)), error.msg)
    if error.pos >= len(error.doc.rstrip()):
        said = _("it is cut off: {problem}").format(problem=said)
    message = _("malformed JSON: {problem} (line {line}, column {column})")
    return message.format(problem=said, line=line + error.lineno - 1, column=error.colno)


# A path is a chain of (the path before, key or index), so that no text is made for the many that are fine.
_Path = tuple[Any, str | int] | None


def _walk(tree: Any) -> None:
    """Raise a `JsonFault` for the first value, in the order of the text, that can't be taken."""
    todo: list[tuple[_Path, Any]] = [(None, tree)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, _Bad):
            _fail(path, value.message)
        elif isinstance(value, str):
            _check_text(path, value)
        elif isinstance(value, _Pairs):
            seen = set()
            for key, _child in value:
                _check_text(path, key, in_key=True)
                if key in seen:
                    _fail((path, key), _("the key is given twice; keep one"))
                seen.add(key)
            todo.extend(((path, key), child) for key, child in reversed(value))
        elif isinstance(value, list):
            todo.extend(((path, index), value[index]) for index in reversed(range(len(value))))


def _check_text(path: _Path, text: str, in_key: bool = False) -> None:
    problem = ""
    if "\0" in text:
        problem = _("a NUL character (\\u0000); leave it out")
    elif _HALF.search(text):
        problem = _("half a character (a \\ud800 to \\udfff escape without its other half)")
    if problem:
        _fail(path, _("a key has {problem}").format(problem=problem) if in_key else problem)


def _fail(path: _Path, message: str) -> NoReturn:
    parts: list[str] = []
    while path:
        path, step = path[0], path[1]
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _PLAIN_KEY.fullmatch(step):
            parts.append(f".{printable(step, 60)}")
        else:
            parts.append(f'["{printable(step, 60)}"]')
    raise JsonFault("".join(reversed(parts)).removeprefix(".") or "record", message)
