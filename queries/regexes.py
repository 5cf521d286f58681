"""Running the regexes of strangers: RE2 only, so in linear time, within bounds of memory and text."""

from __future__ import annotations

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
    try:
        return re2.search(pattern, text[:_TEXT], options=_OPTIONS) is not None
    except (re2.error, ValueError):
        return False
