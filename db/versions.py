"""Version texts as authors write them, taken apart for search and facets, and put together for reading."""

from __future__ import annotations

import re

# A name, then whatever starts like a range: an operator, a digit (also v1), or a word that means any version.
_VERSION = re.compile(
    r"\s*(?P<package>[^\s<>=!~^][^<>=!~^]*?)?\s*(?P<specifier>(?:[<>=!~^]|(?<=\s)v?\d|(?<=\s)any\b).*)?\s*", re.S | re.I
)


def split_version(text: str) -> tuple[str | None, str | None]:
    """Take "torch>=1.13" or "NCCL 2.16" apart into package (lower case) and specifier; either can be None.

    >>> split_version("NCCL 2.16"), split_version("pytorch>=2.1,<3"), split_version("humble")
    (('nccl', '2.16'), ('pytorch', '>=2.1,<3'), ('humble', None))
    """
    match = _VERSION.fullmatch(text)
    if not match:
        return None, text.strip() or None
    package, specifier = match["package"], match["specifier"]
    return (package.strip().lower() or None) if package else None, (specifier.strip() or None) if specifier else None


def join_version(package: str | None, specifier: str | None) -> str | None:
    """Write a package and a range as one text: "gradle>=8.0", "ros humble".

    >>> join_version("gradle", ">=8.0"), join_version("ros", "humble"), join_version("node", None)
    ('gradle>=8.0', 'ros humble', 'node')
    """
    if not package or not specifier:
        return package or specifier
    return f"{package}{specifier}" if specifier[0] in "<>=!~^" else f"{package} {specifier}"
