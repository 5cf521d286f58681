"""Running the regexes of strangers: RE2 only, so in linear time, within bounds of memory and text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

_MEMORY, _PATTERN, _TEXT = 1 << 20, 2_000, 20_000
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.case_sensitive = False
_OPTIONS.max_mem = _MEMORY


def regex_matches(pattern: str | None, text: str) -> bool:
    """Whether an entry's regex matches a text, whatever the case; False for a regex that is none."""
    if not pattern or len(pattern) > _PATTERN:
        return False
    compiled = _compile(pattern)
    return compiled is not None and compiled.search(text[:_TEXT]) is not None


@lru_cache(maxsize=1024)
def _compile(pattern: str) -> Any:
    """A pattern, compiled; None when it is none. The same entries come up again and again."""
    try:
        return re2.compile(pattern, options=_OPTIONS)
    except (re2.error, ValueError):
        return None
