"""culdesac evaluate: how good the search is on labelled queries."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import culdesac
from culdesac.common import Stop, database_option, existing_database
from culdesac.db.file import FileError
from culdesac.db.messages import _, noted, reason
from culdesac.queries.evaluate import BadLabels, Labelled, Share, judge, read_labelled, report
from culdesac.width import left, width

_COLUMNS = (
    noted("best grade first"),
    noted("success@1"),
    noted("success@3"),
    noted("MRR"),
    noted("nDCG@10"),
    noted("confident"),
    noted("abstained"),
)
#: What the groups of a report are called before their value.
_GROUPS = {"all": noted("all"), "kind": noted("kind"), "lang": noted("language")}


@click.command("evaluate")
@click.argument("files", nargs=-1, required=True, metavar="QUERIES.jsonl...", type=click.Path(path_type=Path))
@database_option
@click.option("--within", metavar="FILE", help="Skip results whose error isn't in this source.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--misses", is_flag=True, help="List the queries that were answered wrongly.")
def command(files: tuple[Path, ...], db: Path | None, within: str | None, as_json: bool, misses: bool) -> None:
    """Search for every query of QUERIES.jsonl and compare with its labels.

    A line is {"qid": …, "query": …, "relevant": {entry id: 2 exactly this error | 1 related}}; kind and lang, when
    given, group the figures. Intervals are 95 %.

    \b
    culdesac evaluate queries.jsonl --db errors.db
    culdesac evaluate chinese.jsonl --within bilingual.jsonl --json
    """
    labelled = [query for path in files for query in _read(path)]
    known = _errors(within) if within else None
    try:
        with culdesac.open(existing_database(db)) as engine:
            depth = 100 if within else 10
            outcomes = [judge(query, engine.search(query.query, n=depth), known) for query in labelled]
    except FileError as error:
        raise Stop(str(error)) from None
    found = report(outcomes)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=2, default=asdict))
        return
    click.echo(_table(found["groups"]))
    click.echo("\n" + _("score of the first result, and how often it was right or useful") + "\n")
    for row in found["reliability"]:
        message = _("{bounds}  {count}  mean {mean}  right {right}")
        bounds, mean, right = f"{row['from']:.1f}-{row['to']:.1f}", f"{row['mean score']:.2f}", f"{row['right']:.2f}"
        click.echo(message.format(bounds=bounds, count=f"{row['count']:>4}", mean=mean, right=right))
    if misses:
        click.echo()
        for row in found["missed"]:
            click.echo("{qid}  {kind}  {first}  {score:.2f}".format_map(row))


def _read(path: Path) -> list[Labelled]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(_("{path}: can't be read: {reason}").format(path=path, reason=reason(error))) from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(read_labelled(json.loads(line)))
        except (ValueError, RecursionError) as error:
            what = error if isinstance(error, BadLabels) else _("not JSON")
            message = _("{place}: {problem}; see culdesac evaluate --help for the form")
            raise Stop(message.format(place=f"{path}:{number}", problem=what)) from None
    if not found:
        raise Stop(_("{path}: no queries in it").format(path=path))
    return found


def _errors(source: str) -> frozenset[str]:
    """The error ids of a source's entries."""
    from culdesac.db.documents import BadDocument, flatten
    from culdesac.db.rows import split_id
    from culdesac.ingest.sources import Limits, Record, SourceError, open_source

    found = set()
    try:
        for item in open_source(source, Limits(), sys.stdin.buffer):
            if isinstance(item, Record):
                found.add(split_id(flatten(item.document).column("id")).error_id)
    except SourceError as error:  # names the source itself
        raise Stop(str(error)) from None
    except BadDocument as error:
        raise Stop(_("{file}: {problem}").format(file=source, problem=error)) from None
    return frozenset(found)


def _table(groups: dict[str, dict[str, Any]]) -> str:
    names = {group: _group(group) for group in groups}
    margin = max(map(width, names.values())) + 2
    measured = max(width(_(column)) for column in _COLUMNS) + 1
    counts = _("{count} with an answer, {without} without")
    lines = []
    for group, measures in groups.items():
        told = counts.format(count=measures["queries"], without=measures["without answer"])
        lines.append(left(names[group], margin) + told)
        lines += [
            " " * (margin + 2) + left(_(column), measured) + _cell(measures[column])
            for column in _COLUMNS
            if column in measures
        ]
    return "\n".join(lines)


def _group(name: str) -> str:
    """What a group is called: "kind log"."""
    known, _space, value = name.partition(" ")
    return f"{_(_GROUPS[known])} {value}".rstrip()


def _cell(value: Share) -> str:
    counted = "" if value.hits is None else "  " + _("{hits} of {count}").format(hits=value.hits, count=value.count)
    return f"{value.value:.3f}  [{value.low:.3f}, {value.high:.3f}]{counted}"
