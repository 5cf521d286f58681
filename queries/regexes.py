"""Running the regexes of strangers: RE2 only, so in linear time, within bounds of memory and text.

A match says as much as the words say that the regex spells out: `.*` and bare digits match half of all logs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import re2

from culdesac.db.text import fold, words

_MEMORY, _PATTERN, _TEXT = 1 << 20, 2_000, 20_000
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.case_sensitive = False
_OPTIONS.max_mem = _MEMORY


#: A match that spells out words of this much weight says all that a regex can, and one that spells out none so little.
_WHOLE, _LEAST = 8.0, 0.05
#: What isn't spelt out: classes, counts, groups' openings and escapes that stand for many characters.
_SYNTAX = re.compile(r"\\[A-Za-z]|\[\^?\]?[^\]]*\]|\{[0-9,]*\}|\(\?[^:)]*[:)]?")


class _Regex(NamedTuple):
    compiled: Any
    literals: frozenset[str]


def regex_match(pattern: str | None, text: str, weights: Mapping[str, float]) -> float:
    """How much it says that an entry's regex matches a text, whatever the case: 0 when it doesn't, up to 1 the rarer
    the words are that it spells out there. `weights` are those of the text's words. A regex that is none says 0."""
    regex = _compile(pattern) if pattern and len(pattern) <= _PATTERN else None
    found = regex and regex.compiled.search(text[:_TEXT])
    if not regex or found is None:
        return 0.0
    spelt = regex.literals.intersection(words(fold(found.group(), dict[int, int])))
    return max(_LEAST, min(1.0, sum(weights.get(word, 0.0) for word in spelt) / _WHOLE))


@lru_cache(maxsize=1024)
def _compile(pattern: str) -> _Regex | None:
    """A pattern, compiled; None when it is none. The same entries come up again and again."""
    try:
        compiled = re2.compile(pattern, options=_OPTIONS)
    except (re2.error, ValueError):
        return None
    plain = _SYNTAX.sub(" ", pattern).replace("\\", "")
    return _Regex(compiled, frozenset(words(fold(plain, dict[int, int]))))
