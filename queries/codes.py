"""Codes in messages: E0502, TS2786, exit code 137, HTTP 404, errno 28, ERR_REQUIRE_ESM, ECONNREFUSED.

A code is its family and its number. Two messages with the same words and other codes of one family are two errors,
however much else they share.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable

#: Letters and a number written together: the letters are the family. Longer numbers are ids.
_TOGETHER = re.compile(r"([a-z]{1,8})([0-9]{2,6})")
_NUMBER = re.compile(r"[0-9]{1,6}")
#: Words before the number that make it a code, each with its family: an exit code is one whether `exit` stands there.
_FAMILIES = {
    "code": "code", "exit": "code", "errno": "errno", "error": "error", "err": "error", "status": "status",
    "http": "status", "signal": "signal", "winerror": "winerror", "sqlstate": "sqlstate", "ora": "ora",
}  # fmt: skip
#: Codes with names: of Node and pnpm, of NVIDIA's libraries, and those of errno.h.
_NAMED = re.compile(r"\b(?:(ERR)_[A-Z0-9_]{2,60}|([A-Z]{2,20})_STATUS_[A-Z0-9_]{2,60}|E[A-Z0-9]{2,20})\b")
_ERRNO = frozenset(errno.errorcode.values())


def codes(words: Iterable[str]) -> dict[str, set[str]]:
    """The numbers of each family in folded words, in order."""
    found: dict[str, set[str]] = {}
    before = ""
    for word in words:
        if together := _TOGETHER.fullmatch(word):
            found.setdefault(together[1], set()).add(together[2])
        elif before in _FAMILIES and _NUMBER.fullmatch(word):
            found.setdefault(_FAMILIES[before], set()).add(word)
        before = word
    return found


def named(text: str) -> dict[str, set[str]]:
    """The names of codes in a text as it was written, by family."""
    found: dict[str, set[str]] = {}
    for name in _NAMED.finditer(text):
        if family := name[1] or name[2] or ("errno" if name[0] in _ERRNO else None):
            found.setdefault(family, set()).add(name[0])
    return found


def differ(asked: dict[str, set[str]], own: dict[str, set[str]]) -> bool:
    """Whether both have codes of one family, and none in common."""
    shared = [(numbers, asked[family]) for family, numbers in own.items() if family in asked]
    return bool(shared) and not any(numbers & others for numbers, others in shared)
