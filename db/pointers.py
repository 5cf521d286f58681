"""Places in a document: JSON Pointers (RFC 6901), how people write them, and what is wrong there."""

from __future__ import annotations

from typing import Any

from culdesac.db.messages import _, noted

_NAMES = {
    str: noted("a string"),
    bool: noted("true or false"),
    int: noted("a number"),
    float: noted("a number"),
    list: noted("an array"),
    dict: noted("an object"),
}
_OTHER = noted("something else")


class BadDocument(ValueError):
    """A document that can't become an entry: `field` is where (a dotted path), `message` what is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    return "null" if value is None else _(_NAMES.get(type(value), _OTHER))


def escape(key: str) -> str:
    """A key as a step of a pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def steps(pointer: str) -> list[str]:
    """The keys and indexes that a pointer goes through."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def dotted(pointer: str) -> str:
    """A JSON Pointer as people write it: `workarounds[0].how`."""
    out = ""
    for name in steps(pointer):
        out += f"[{name}]" if name.isdigit() and out else f".{name}" if out else name
    return out or "record"


def put(document: dict[str, Any], pointer: str, value: Any) -> None:
    """Set a pointer's value. Where the parent is gone (an item was deleted by hand) there is nothing to set it in."""
    *parents, last = steps(pointer)
    target: Any = document
    for step in parents:
        if isinstance(target, dict):
            target = target.get(step)
        elif isinstance(target, list) and step.isdigit() and int(step) < len(target):
            target = target[int(step)]
    if isinstance(target, dict):
        target[last] = value
