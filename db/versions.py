"""Version texts as authors write them, taken apart for search and facets, and put together for reading."""

from __future__ import annotations

import re

# Where a range starts: at an operator, or at a blank before a digit (also v1) or the word that means every version.
_RANGE = re.compile(r"[<>=!~^]|\s(?=v?\d|any\b)", re.I)


def split_version(text: str) -> tuple[str | None, str | None]:
    """Take "torch>=1.13" or "NCCL 2.16" apart into package (lower case) and specifier; either can be None.

    >>> split_version("NCCL 2.16"), split_version("pytorch>=2.1,<3"), split_version("humble"), split_version("3.x")
    (('nccl', '2.16'), ('pytorch', '>=2.1,<3'), ('humble', None), (None, '3.x'))
    """
    text = text.strip()
    if text[:1].isdigit():
        return None, text
    match = _RANGE.search(text)
    if not match:
        return text.lower() or None, None
    return text[: match.start()].strip().lower() or None, text[match.start() :].strip() or None


def join_version(package: str | None, specifier: str | None) -> str | None:
    """Write a package and a range as one text: "gradle>=8.0", "ros humble".

    >>> join_version("gradle", ">=8.0"), join_version("ros", "humble"), join_version("node", None)
    ('gradle>=8.0', 'ros humble', 'node')
    """
    if not package or not specifier:
        return package or specifier
    return f"{package}{specifier}" if specifier[0] in "<>=!~^" else f"{package} {specifier}"
