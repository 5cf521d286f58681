"""What a regex looks like, without running it: the text it requires, and the structures that make one costly.

RE2 tells neither to Python, and Python's own parser recurses on hostile nesting, knows another syntax and changes
between versions. This one walks RE2's syntax (https://github.com/google/re2/wiki/Syntax) once, without recursion. It
is meant for patterns that RE2 accepts; where it isn't sure it says that less is required.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

#: Text shorter than this selects nothing: half of all messages hold any two letters.
SHORTEST = 3
#: Except in Chinese, Japanese and Korean, where two characters are a word.
SHORTEST_CJK = 2
_LONGEST_REPEATED = 64
_MOST_TOGETHER = 2

# What doesn't end goes to the end of the pattern: looking for the end again at each next bracket would be quadratic.
_TOKEN = re.compile(
    r"""
    (?P<text>[^\\\[(){}.*+?^$|]++(?![*+?{])|[^\\\[(){}.*+?^$|]+(?=[^\\\[(){}.*+?^$|][*+?{]))
    |(?P<repeat>(?:[*+?]|\{(?P<least>\d+)(?P<range>,(?P<most>\d*))?\})\??)
    |(?P<group>\((?:\?P?<\w+>|\?[imsU-]*:|(?!\?)))
    |(?P<close>\))
    |(?P<either>\|)
    |(?P<width0>[\^$]|\\[bBAz]|\(\?[imsU-]+\))
    |\\Q(?P<quoted>(?s:.*?))(?P<unquote>\\E|\Z)
    |(?P<set>\\[dDsSwWC]|\\[pP](?:\{[^}]*+(?:\}|\Z)|(?s:.))|\\x(?:\{[^}]*+(?:\}|\Z)|[0-9A-Fa-f]{2})|\\[0-7]{1,3}
        |\.|\[\^?\]?(?:\\(?s:.)|\[:\^?\w+:\]|[^\]\\])*+(?:\]|\\?\Z))
    |\\(?P<escaped>(?s:.))
    |(?P<one>(?s:.))
    """,
    re.VERBOSE,
)
_CJK = re.compile("[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
# Words, gaps and alternatives, perhaps in one pair of brackets: two patterns in three are no more.
_PLAIN = re.compile(r"(\((?:\?:)?)?((?:[^\\\[\](){}.*+?^$]++|\.\*(?!\.\*))*+)(?(1)\))")
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
# [Cc]: one letter, whatever its case.
_LETTER = re.compile(r"\[(\w)(\w)\]")


#: Texts that a match holds together, and the alternatives of such: every match has all texts of at least one.
Clause = tuple[str, ...]
Clauses = tuple[Clause, ...]


class _Item(NamedTuple):
    """A part of a pattern: the one text it is, or else what every match of it requires."""

    exact: str | None
    required: Clauses | None = None
    #: Whether it consists of unbounded repetitions, with nothing between them that each round must have.
    loops: bool = False
    #: Whether it takes a character that is neither optional nor part of an unbounded repetition.
    fixed: bool = False
    #: The set that repeats without bound at its start and at its end.
    lead: str = ""
    trail: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    r"""What `read_pattern` finds out.

    `required`: every match holds all texts of one of these, whatever their case; empty when it need hold none.

    `nested`: an unbounded repetition of nothing but unbounded repetitions and options, so that one text can be cut into
    rounds in many ways: (a+)+ but not (\.\d+)*. `doubled`: two unbounded repetitions of one set, side by side.
    `closed`: brackets and quotations end where they should, so the pattern can stand inside a group.
    """

    required: Clauses
    nested: bool
    doubled: bool
    closed: bool


def _selects(text: str) -> bool:
    return len(text) >= SHORTEST or (len(text) >= SHORTEST_CJK and not text.isascii() and bool(_CJK.search(text)))


def _clauses(text: str) -> Clauses | None:
    return ((text,),) if _selects(text) else None


def _clause(texts: Iterable[str]) -> Clause:
    """At most so many different texts, the longest ones."""
    return tuple(sorted(dict.fromkeys(texts), key=len, reverse=True)[:_MOST_TOGETHER])


def _weight(clauses: Clauses) -> int:
    # Of a clause the longest text counts, of alternatives the weakest one.
    return min(max(map(len, clause)) for clause in clauses)


@dataclass(slots=True)
class _Frame:
    """A group that is being read, the whole pattern at the bottom."""

    run: str = ""
    exact: bool = True
    required: Clauses | None = None
    loops: bool = False
    fixed: bool = False
    lead: str | None = None
    trail: str = ""
    doubled: bool = False
    #: The item before the next token, which may be a quantifier; and what it repeats, when that is one character.
    last: _Item | None = None
    atom: str = ""
    branches: list[_Item] = field(default_factory=list)

    def push(self, item: _Item, atom: str = "") -> None:
        if self.last is not None:
            self.settle(self.last)
        self.last = item
        self.atom = atom

    def settle(self, item: _Item) -> None:
        if item.exact is not None:
            self.run += item.exact
        else:
            self.exact = False
            self.offer(_clauses(self.run))
            self.offer(item.required)
            self.run = ""
            self.loops = self.loops or item.loops
        self.fixed = self.fixed or item.fixed
        self.doubled = self.doubled or bool(item.lead and item.lead == self.trail)
        self.trail = item.trail
        if self.lead is None:
            self.lead = item.lead

    def offer(self, required: Clauses | None) -> None:
        """Require this too: both together, or, where one has alternatives, the one that selects better."""
        if not required:
            return
        if self.required is None:
            self.required = required
        elif len(required) == len(self.required) == 1:
            self.required = (_clause(self.required[0] + required[0]),)
        elif _weight(required) > _weight(self.required):
            self.required = required

    def end_branch(self) -> None:
        if self.last is not None:
            self.settle(self.last)
        exact = self.run if self.exact else None
        self.offer(_clauses(self.run))
        self.branches.append(
            _Item(exact, self.required, self.loops and not self.fixed, self.fixed, self.lead or "", self.trail)
        )
        self.run, self.exact, self.required, self.loops, self.fixed = "", True, None, False, False
        self.lead, self.trail, self.last, self.atom = None, "", None, ""

    def as_item(self) -> _Item:
        self.end_branch()
        first = self.branches[0]
        if len(self.branches) == 1:
            return first
        clauses = dict.fromkeys(clause for branch in self.branches for clause in branch.required or ())
        required = tuple(clauses) if all(branch.required for branch in self.branches) else None
        loops = any(branch.loops for branch in self.branches)
        fixed = all(branch.fixed for branch in self.branches)
        return _Item(None, required, loops, fixed, first.lead, first.trail)

    def repeat(self, token: re.Match[str]) -> bool:
        """Apply a quantifier to the last item. Gives whether it nests."""
        item = self.last or _Item("")
        sign = token[0][0]
        least = int(token["least"]) if sign == "{" else sign == "+"
        unbounded = not token["most"] if token["range"] else sign in "*+"
        nested = unbounded and item.loops
        gap = (self.atom, self.atom) if unbounded and self.atom else (item.lead, item.trail)
        loops = item.loops or unbounded
        fixed = item.fixed and bool(least) and not unbounded
        if not least:
            self.last = _Item(None, None, loops, fixed, *gap)
        elif item.exact is None:
            self.last = _Item(None, item.required, loops, fixed, *gap)
        elif sign == "{" and not token["range"] and least * len(item.exact) <= _LONGEST_REPEATED:
            self.last = _Item(item.exact * least, fixed=fixed)
        else:
            # The first round goes on with the text before it: in "succes+ful" that is "succes".
            self.run += item.exact
            self.last = _Item(None, _clauses(item.exact), loops, fixed, *gap)
        self.atom = ""
        return nested


def _literal(token: re.Match[str]) -> str | None:
    """The text of a token that stands for itself."""
    kind = token.lastgroup
    if kind in ("text", "one"):
        return token[0]
    if kind == "escaped":
        return _CONTROLS.get(token["escaped"], token["escaped"])
    if kind == "set":
        letter = _LETTER.fullmatch(token[0])
        return letter[1] if letter and letter[1].lower() == letter[2].lower() else None
    return None


def read_plain(pattern: str) -> list[list[str]] | None:
    """Take a pattern apart that has only words, `.*` and alternatives: the words of each alternative, in order.

    None for every other pattern. What it takes is valid and cheap, whatever the words are.
    """
    match = _PLAIN.fullmatch(pattern)
    return [branch.split(".*") for branch in match[2].split("|")] if match else None


def read_pattern(pattern: str) -> Shape:
    """Read a pattern's structure, in a time linear in its length."""
    plain = read_plain(pattern)
    if plain is not None:
        required = dict.fromkeys(_clause(filter(_selects, words)) for words in plain)
        return Shape(tuple(required) if () not in required else (), False, False, True)
    return _walk(pattern)


def _walk(pattern: str) -> Shape:
    frames = [_Frame()]
    nested = doubled = False
    closed = True
    for token in _TOKEN.finditer(pattern):
        kind, frame = token.lastgroup, frames[-1]
        if kind == "repeat":
            nested = frame.repeat(token) or nested
        elif kind == "group":
            frames.append(_Frame())
        elif kind == "either":
            frame.end_branch()
        elif kind == "close":
            if len(frames) == 1:
                closed = False
                continue
            item = frames.pop().as_item()
            doubled = doubled or frame.doubled
            frames[-1].push(item)
        elif kind == "width0":
            frame.push(_Item(""))
        elif kind == "unquote":
            closed = closed and bool(token["unquote"])
            # A quantifier after a quotation takes its last character.
            head, last = token["quoted"][:-1], token["quoted"][-1:]
            frame.push(_Item(head, fixed=bool(head)))
            frame.push(_Item(last, fixed=bool(last)), last)
        else:
            literal = _literal(token)
            frame.push(_Item(literal, fixed=True), token[0] if kind != "text" else "")
    whole = frames[0].as_item()
    doubled = doubled or frames[0].doubled
    return Shape(whole.required or (), nested, doubled, closed and len(frames) == 1)
