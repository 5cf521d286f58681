"""One regex: whether RE2 takes it, what it costs, and whether it finds what it is for.

Patterns are matched whatever the case of letters: so measured, it is what their authors meant (474 of 2,460 public
ones don't match their own signature otherwise, 186 do not even so).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import re2

from culdesac.ingest.checks.codes import Problem, problem, quote
from culdesac.ingest.checks.patterns import SHORTEST, SHORTEST_CJK, Shape, read_pattern, read_plain

#: A longer pattern is not compiled.
LONGEST_PATTERN = 10_000
#: Patterns are run on this many characters of a signature.
LONGEST_TEXT = 2_000
#: RE2's instructions (`programsize`). The greatest of 2,580 known patterns has 1,410, the median 92.
LARGEST_PROGRAM = 5_000
# A pattern of words and gaps has about two instructions a character.
_LONGEST_PLAIN = 1_000
#: Bytes that one compiled pattern may take; RE2 refuses a program that needs more.
_MEMORY = 1 << 20

_OPTIONS = re2.Options()
_OPTIONS.max_mem = _MEMORY
_OPTIONS.log_errors = False
_OPTIONS.case_sensitive = False
# Where each match would bring thousands of groups along.
_WITHOUT_GROUPS = re2.Options()
_WITHOUT_GROUPS.max_mem = _MEMORY
_WITHOUT_GROUPS.log_errors = False
_WITHOUT_GROUPS.case_sensitive = False
_WITHOUT_GROUPS.never_capture = True
_MOST_GROUPS = 100

# What Python's re has and RE2 doesn't, among what must be skipped: escaped characters, then classes.
_FEATURES = re.compile(
    r"""
    \\(?P<backreference>[1-9]|[gk][<{'])
    |\\(?s:.)
    |\[\^?\]?(?:\\(?s:.)|[^\]\\])*+(?:\]|\\?\Z)
    |(?P<lookaround>\(\?<?[=!])
    |(?P<named>\(\?P=\w)
    |(?P<conditional>\(\?\()
    |(?P<atomic>\(\?>)
    |(?P<possessive>(?:[*+?]|\{\d+,?\d*\})\+)
    """,
    re.VERBOSE,
)
_FEATURE_NAMES = {
    "backreference": "a backreference",
    "lookaround": "look-around",
    "named": "a backreference",
    "conditional": "a conditional group",
    "atomic": "an atomic group",
    "possessive": "a possessive quantifier",
}

#: Whether a pattern matches somewhere in a text.
Finder = Callable[[str], bool]


def compile_finder(pattern: str, shape: Shape) -> tuple[Finder, int]:
    """Compile a pattern; gives what finds it, and the number of RE2's instructions.

    Raises re2.error when RE2 doesn't take it.
    """
    if shape.closed and pattern.count("(") < _MOST_GROUPS:
        try:
            # Anchored and with a group, RE2 need not build the automata of both directions for one short text: that
            # takes as long as compiling does.
            compiled = re2.compile(f"(?s:.*?)({pattern})", _OPTIONS)
        except re2.error:
            pass  # for a message about the pattern itself
        else:
            anchored = compiled.match
            return lambda text: anchored(text) is not None, compiled.programsize
    compiled = re2.compile(pattern, _WITHOUT_GROUPS)
    search = compiled.search
    return lambda text: search(text) is not None, compiled.programsize


def plain_words(pattern: str) -> list[list[str]] | None:
    """The words of a plain pattern's alternatives, in lower case; None where there is more to a pattern, or to case."""
    if len(pattern) > _LONGEST_PLAIN or not pattern.isascii():
        return None
    return read_plain(pattern.lower())


def lowered_if_simple(text: str) -> str | None:
    """The text in lower case; None when `.` doesn't take all of it, or there is more to case."""
    return text.lower() if text.isascii() and "\n" not in text else None


def has_plain(alternatives: list[list[str]], lowered: str) -> bool:
    """Whether a plain pattern matches a simple text, as RE2 would say, but without compiling."""
    return any(_in_order(words, lowered) for words in alternatives)


def _in_order(words: list[str], lowered: str) -> bool:
    start = 0
    for word in words:
        found = lowered.find(word, start)
        if found < 0:
            return False
        start = found + len(word)
    return True


def check_regex(pattern: str, signature: str) -> Iterator[Problem]:
    """Yield what is wrong with an entry's regex by itself. It is never run except by RE2, on bounded text."""
    if len(pattern) > LONGEST_PATTERN:
        message = f"{len(pattern):,} characters; at most {LONGEST_PATTERN:,} are compiled: shorten it"
        yield problem("regex-costly", "regex", message)
        return
    plain, lowered = plain_words(pattern), lowered_if_simple(signature[:LONGEST_TEXT])
    if plain is not None and lowered is not None:
        # The same answers as RE2 gives, a test says, without compiling: that takes as long as all other checks.
        if not read_pattern(pattern).required:
            yield _too_broad(pattern)
        if not has_plain(plain, lowered):
            yield _misses(signature)
        return
    shape = read_pattern(pattern)
    try:
        finds, size = compile_finder(pattern, shape)
    except (re2.error, UnicodeEncodeError) as error:
        yield _refused(pattern, error)
        return
    if not shape.required:
        yield _too_broad(pattern)
    if not finds(signature[:LONGEST_TEXT]):
        yield _misses(signature)
    reasons = []
    if size > LARGEST_PROGRAM:
        reasons.append(f"takes {size:,} instructions, over {LARGEST_PROGRAM:,}")
    if shape.nested:
        reasons.append("repeats a repetition without bound, as (a+)+ does")
    if shape.doubled:
        reasons.append("repeats one thing twice side by side without bound, as .*.* does")
    if reasons:
        yield problem("regex-costly", "regex", f"{'; '.join(reasons)}: simplify {quote(pattern)}")


def _too_broad(pattern: str) -> Problem:
    least = f"{SHORTEST} characters ({SHORTEST_CJK} Chinese, Japanese or Korean ones)"
    message = f"requires no text of {least} or more: add words that every match has to {quote(pattern)}"
    return problem("regex-too-broad", "regex", message)


def _misses(signature: str) -> Problem:
    message = f"does not match the entry's own signature: correct one of them; the signature is {quote(signature)}"
    return problem("regex-misses-signature", "regex", message)


def _refused(pattern: str, error: Exception) -> Problem:
    for token in _FEATURES.finditer(pattern):
        if token.lastgroup:
            feature = _FEATURE_NAMES[token.lastgroup]
            return problem(
                "regex-unsupported", "regex", f"uses {feature} ({quote(token[0])}…), which RE2 lacks: write it without"
            )
    if "too large" in str(error):
        return problem("regex-costly", "regex", f"takes over {_MEMORY >> 20} MB compiled: simplify {quote(pattern)}")
    # RE2's message is bytes when it comes from C++.
    reason = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
    return problem("regex-invalid", "regex", f"does not compile ({quote(reason)}): correct {quote(pattern)}")
