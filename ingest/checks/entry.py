"""What an entry says about itself, looked at alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

import msgspec

from culdesac.db.rows import COLUMNS, INDEX, EntryRows, split_id
from culdesac.db.text import has_han
from culdesac.ingest.checks.codes import CheckOptions, Problem, problem, quote
from culdesac.ingest.checks.regexes import check_regex
from culdesac.ingest.checks.texts import check_texts
from culdesac.ingest.checks.values import check_dates, check_links, check_numbers, check_versions

#: An entry with more problems than this shows the first ones: a hostile one could have a million.
MOST = 100

_ENTRY = INDEX["entries"]
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*(?:/[a-z0-9][a-z0-9._-]*){1,2}")
_TEXT_ZH = INDEX["workarounds"]["text_zh"]
_ACTION = INDEX["workarounds"]["action"]
_TO_ID = INDEX["transitions"]["to_id"]
assert INDEX["dead_ends"]["action"] == _ACTION
_BLANK_STEP = [None] * len(COLUMNS["workarounds"])


def check_entry(rows: EntryRows, options: CheckOptions) -> list[Problem]:
    """Find what is wrong with one entry, without looking at any other: at most 100 problems, in a fixed order.

    Needs no file and changes nothing. The order is that of the checks, then that of the entry.
    """
    edges = edge_paths([row[0] for row in rows.transitions])
    regex = rows.column("regex")
    return list(
        islice(
            chain(
                _check_id(rows),
                () if regex is None else check_regex(regex, rows.column("signature")),
                _check_steps(rows),
                _check_chinese(rows),
                check_numbers(rows, edges),
                check_dates(rows.entries, options.as_of),
                check_versions(rows),
                check_links(rows),
                _check_edges(rows, edges),
                check_texts(rows, edges),
            ),
            MOST,
        )
    )


def edge_paths(kinds: list[str]) -> list[str]:
    """Where transitions stand in a document, which counts them by kind: "transition_graph.leads_to[0]"."""
    counts: dict[str, int] = {}
    paths = []
    for kind in kinds:
        place = counts.get(kind, 0)
        counts[kind] = place + 1
        paths.append(f"transition_graph.{kind}[{place}]")
    return paths


def _check_id(rows: EntryRows) -> Iterator[Problem]:
    entry_id = rows.entries[_ENTRY["id"]]
    if not _ID.fullmatch(entry_id):
        yield problem(
            "id-form",
            "id",
            f'"{quote(entry_id)}" is not domain/slug or domain/slug/environment in lower-case letters, digits, ".", '
            '"_" and "-": rename it',
        )
    domain = rows.entries[_ENTRY["domain"]]
    in_id = split_id(entry_id).domain
    if domain is not None and domain != in_id:
        yield problem("domain-differs", "domain", f'"{quote(domain)}", but the id says "{quote(in_id)}": use one')


def _steps(rows: EntryRows) -> int:
    """How many workarounds the document has: rows at the end may be Chinese steps that go with none."""
    count = len(rows.workarounds)
    blank = [row[:_TEXT_ZH] + row[_TEXT_ZH + 1 :] for row in rows.workarounds[-1:]]
    if blank == [_BLANK_STEP[1:]] and rows.column("shape"):
        shape = msgspec.json.decode(rows.column("shape"))
        while count and shape.get(f"/workarounds/{count - 1}") == "absent":
            count -= 1
    return count


def _check_steps(rows: EntryRows) -> Iterator[Problem]:
    if not rows.workarounds and not rows.dead_ends:
        yield problem("no-steps", "workarounds", "neither a workaround nor a dead end: say what to do or not to try")
        return
    without = [position for position, row in enumerate(rows.workarounds) if not row[_ACTION] or row[_ACTION].isspace()]
    if without:
        steps = _steps(rows)
        if not steps and not rows.dead_ends:
            yield problem("no-steps", "workarounds", "neither a workaround nor a dead end but in Chinese: add them")
        for position in without:
            if position < steps:
                field = f"workarounds[{position}].action"
                yield problem("workaround-without-action", field, "empty: say in one line what to do")
    for position, row in enumerate(rows.dead_ends):
        if not row[_ACTION] or row[_ACTION].isspace():
            field = f"dead_ends[{position}].action"
            yield problem("dead-end-without-action", field, "empty: say in one line what people try")


def _check_chinese(rows: EntryRows) -> Iterator[Problem]:
    for name in ("signature_zh", "root_cause_zh"):
        text = rows.entries[_ENTRY[name]]
        if text and not has_han(text):
            yield _not_chinese(name, text)
    given = 0
    for position, row in enumerate(rows.workarounds):
        text = row[_TEXT_ZH]
        if text is not None:
            given = position + 1
            if not has_han(text):
                yield _not_chinese(f"workarounds_zh[{position}]", text)
    if given and given != (steps := _steps(rows)):
        message = f"{given} for {steps} workarounds: give one for each, in the same order"
        yield problem("chinese-steps-count", "workarounds_zh", message)


def _not_chinese(field: str, text: str) -> Problem:
    return problem("not-chinese", field, f'"{quote(text)}" has no Chinese character: translate it or leave it out')


def _check_edges(rows: EntryRows, edges: list[str]) -> Iterator[Problem]:
    if rows.transitions:
        entry_id = rows.entries[_ENTRY["id"]]
        own = (entry_id, split_id(entry_id).error_id)
        for path, row in zip(edges, rows.transitions, strict=True):
            if row[_TO_ID] in own:
                message = f"{quote(row[_TO_ID])} is the entry itself: remove the edge or name the other error"
                yield problem("edge-to-itself", f"{path}.error_id", message)
