"""Numbers, dates, versions and links: values of the right type that can't be right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from culdesac.db.dialects import DIALECTS, Group, Items, Number, Part
from culdesac.db.rows import INDEX, EntryRows
from culdesac.ingest.checks.codes import Problem, problem, quote

#: Years outside are typing errors or traps; no other date is compared with one.
FIRST_YEAR, LAST_YEAR = 1950, 2100
#: `resolvable` "false" with a higher rate contradicts itself, and so does "true" with this rate or a lower one.
FALSE_AT_MOST, TRUE_ABOVE = 0.5, 0.1

_ENTRY = INDEX["entries"]
_RATES = tuple((name, _ENTRY[name]) for name in ("fix_success_rate", "confidence"))
_COUNTS = tuple((name, _ENTRY[name]) for name in ("evidence_count", "page_views", "ai_agent_hits", "human_hits"))
_STEP_RATES = (
    ("workarounds", "success_rate", INDEX["workarounds"]["success_rate"]),
    ("dead_ends", "fail_rate", INDEX["dead_ends"]["fail_rate"]),
)
_PROBABILITY = INDEX["transitions"]["probability"]
_DATES = tuple(
    (name, _ENTRY[name])
    for name in ("first_seen", "last_confirmed", "last_updated", "generation_date", "last_verification")
)
_LINKS = tuple((name, _ENTRY[name]) for name in ("official_doc_url", "url"))
_SOURCES = tuple((table, INDEX[table]["sources"]) for table in ("workarounds", "dead_ends"))
_SPECIFIER = INDEX["versions"]["specifier"]
_VERSION = INDEX["versions"]["version"]

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
# A date, or the start of one, is no version, though PEP 440 reads 2024-01 as a post-release.
_DATE_LIKE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?", re.ASCII)
_CLAUSE = re.compile(r"\s*(?:[<>=!~^]=?|===)?\s*v?(\d[\w.+!-]*)\s*", re.ASCII | re.IGNORECASE)
_LONGEST_VERSION = 200
_LINK = re.compile(r"https?://[^\s/?#\\\x00-\x1f\x7f]+(?:[/?#][^\s\x00-\x1f\x7f]*)?", re.IGNORECASE)


def check_numbers(rows: EntryRows, edges: list[str]) -> Iterator[Problem]:
    """Yield rates outside 0..1, negative counts, numbers that SQLite can't hold, and a `resolvable` that can't be so.

    `edges` are the paths of the entry's transitions.
    """
    entry = rows.entries
    for name, at in _RATES:
        if (rate := entry[at]) is not None and not 0 <= rate <= 1:
            yield _rate(name, rate)
    for table, name, at in _STEP_RATES:
        for position, row in enumerate(getattr(rows, table)):
            if (rate := row[at]) is not None and not 0 <= rate <= 1:
                yield _rate(f"{table}[{position}].{name}", rate)
    for path, row in zip(edges, rows.transitions, strict=True):
        if (rate := row[_PROBABILITY]) is not None and not 0 <= rate <= 1:
            yield _rate(f"{path}.probability", rate)
    for name, at in _COUNTS:
        if (count := entry[at]) is not None and count < 0:
            yield problem("count-negative", name, f"{quote(count)} is negative: write 0 or more")
    if entry[_ENTRY["extra"]]:
        yield from _not_stored(entry[_ENTRY["dialect"]], entry[_ENTRY["extra"]])
    yield from _check_resolvable(entry[_ENTRY["resolvable"]], entry[_ENTRY["fix_success_rate"]])


def _rate(field: str, rate: float) -> Problem:
    return problem("rate-out-of-range", field, f"{quote(rate)} is outside 0..1: write a share, 85 % as 0.85")


def _check_resolvable(resolvable: str | None, rate: float | None) -> Iterator[Problem]:
    if resolvable is None:
        return
    if resolvable not in ("true", "partial", "false"):
        message = f'"{quote(resolvable)}" is none of "true", "partial", "false": write one of them'
        yield problem("resolvable-unknown", "resolvable", message)
    elif rate is not None and (
        (resolvable == "false" and FALSE_AT_MOST < rate <= 1) or (resolvable == "true" and 0 <= rate <= TRUE_ABOVE)
    ):
        message = f'"{resolvable}" contradicts a fix_success_rate of {quote(rate)}: correct one of them'
        yield problem("resolvable-contradicts-rate", "resolvable", message)


def _not_stored(dialect: str, extra: str) -> Iterator[Problem]:
    for pointer, value in msgspec.json.decode(extra).items():
        if type(value) is int and (field := _number_field(DIALECTS[dialect], pointer)):
            message = f"SQLite can't hold {quote(value)} exactly, so no query sees it: write the number that is meant"
            yield problem("number-not-stored", field, message)


def _number_field(part: Part, pointer: str) -> str | None:
    """The flat name of what stands at a JSON Pointer, when the dialect has a number there."""
    path = ""
    for step in pointer.split("/")[1:]:
        if isinstance(part, Items) and step.isdigit():
            path += f"[{step}]"
            continue
        parts: tuple[Part, ...] = part.parts if isinstance(part, Group | Items) else ()
        found = next((member for member in parts if member.key == step), None)
        if found is None:
            return None
        part = found
        if isinstance(part, Number):
            return f"{path}.{part.key}" if path.endswith("]") else part.column
        path = f"{path}.{step}" if path else step
    return None


@lru_cache(maxsize=4096)
def period(text: str) -> tuple[date, date] | None:
    """The first and the last day of an ISO date (YYYY-MM-DD, YYYY-MM or YYYY); None for anything else."""
    match = _DATE.fullmatch(text)
    if not match:
        return None
    year, month, day = match.groups()
    try:
        first = date(int(year), int(month or 1), int(day or 1))
        if day:
            return first, first
        # The day before the next period; from the end of year 9999 there is none.
        following = date(first.year + (not month or first.month == 12), first.month % 12 + 1 if month else 1, 1)
        return first, following - timedelta(days=1)
    except ValueError:
        return (first, date.max) if year == "9999" and not day else None


def check_dates(entry: list[Any], as_of: str | None) -> Iterator[Problem]:
    """Yield dates that aren't ISO, implausible, after `as_of`, or in the wrong order."""
    given: dict[str, tuple[date, date]] = {}
    for name, at in _DATES:
        text = entry[at]
        if text is None:
            continue
        days = period(text) if len(text) <= 10 else None
        if days is None:
            yield problem("date-form", name, f'"{quote(text)}" is no date: write YYYY-MM-DD, YYYY-MM or YYYY')
        elif not FIRST_YEAR <= days[0].year <= LAST_YEAR:
            yield problem("date-implausible", name, f"{text} lies outside {FIRST_YEAR}..{LAST_YEAR}: correct it")
        else:
            given[name] = days
            if as_of is not None and days[0].isoformat() > as_of:
                yield problem("date-in-future", name, f"{text} lies after {as_of}: correct it")
    seen = given.get("first_seen")
    for name in ("last_confirmed", "last_updated"):
        if seen and name in given and seen[0] > given[name][1]:
            message = f"{quote(entry[_ENTRY['first_seen']])} lies after {name}, {quote(entry[_ENTRY[name]])}"
            yield problem("date-order", "first_seen", f"{message}: correct one of them")


@lru_cache(maxsize=4096)
def _is_range(text: str) -> bool:
    """Whether a person and a parser both read the text as a version or a range: PEP 440, with npm's ^ and ~."""
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        # ">=1.2 <2", "v1.2", "2.16", "^18.0", "17+" and "1.0.2k" are read by everyone, if not by PEP 440.
        for clause in re.split(r"\|\||,|(?<=[\w.+])\s+(?=[<>=!~^])", text):
            match = _CLAUSE.fullmatch(clause)
            if not match or _DATE_LIKE.fullmatch(match[1]) or not _is_version(match[1]):
                return False
        return True
    return bool(text) and not _DATE_LIKE.search(text)


def _is_version(text: str) -> bool:
    try:
        Version(text.removesuffix("+"))
    except InvalidVersion:
        return re.fullmatch(r"\d+(\.\d+)*[-.]?[a-z0-9]*", text, re.ASCII) is not None and "x" not in text
    return True


def check_versions(rows: EntryRows) -> Iterator[Problem]:
    """Yield versions that no parser takes."""
    for position, row in enumerate(rows.versions):
        text = row[_SPECIFIER] or row[_VERSION] or ""
        if not row[_VERSION] or (len(text) <= _LONGEST_VERSION and _is_range(text)):
            continue
        message = f'"{quote(row[_VERSION])}" has no version number or range: write one such as ">=2.1,<3"'
        yield problem("version-unparsed", f"versions[{position}].version", message)


def is_link(text: str) -> bool:
    """Whether a text may become a link: http or https, with a host and no blanks."""
    return _LINK.fullmatch(text) is not None


def check_links(rows: EntryRows) -> Iterator[Problem]:
    """Yield links that a page must not make into links. An empty one counts as none."""
    for name, at in _LINKS:
        link = rows.entries[at]
        if link and not is_link(link):
            yield _refused(name, link)
    for table, at in _SOURCES:
        for position, row in enumerate(getattr(rows, table)):
            for index, link in enumerate(row[at] or ()):
                if link and not is_link(link):
                    yield _refused(f"{table}[{position}].sources[{index}]", link)


def _refused(field: str, link: str) -> Problem:
    message = f'"{quote(link)}" is no http(s) link and is shown as text: correct it or leave it out'
    return problem("link-refused", field, message)
