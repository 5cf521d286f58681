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
from culdesac.queries.evaluate import BadLabels, Labelled, Share, judge, read_labelled, report

_COLUMNS = ("best grade first", "success@1", "success@3", "MRR", "nDCG@10", "confident", "abstained")


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
    click.echo("\nscore of the first result, and how often it was right or useful\n")
    for row in found["reliability"]:
        click.echo("{from:.1f}-{to:.1f}  {count:>4}  mean {mean score:.2f}  right {right:.2f}".format_map(row))
    if misses:
        click.echo()
        for row in found["missed"]:
            click.echo("{qid}  {kind}  {first}  {score:.2f}".format_map(row))


def _read(path: Path) -> list[Labelled]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{path}: can't be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(read_labelled(json.loads(line)))
        except (ValueError, RecursionError) as error:
            what = error if isinstance(error, BadLabels) else "not JSON"
            raise Stop(f"{path}:{number}: {what}; see culdesac evaluate --help for the form") from None
    if not found:
        raise Stop(f"{path}: no queries in it")
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
    except (SourceError, BadDocument) as error:
        raise Stop(f"{source}: {error}") from None
    return frozenset(found)


def _table(groups: dict[str, dict[str, Any]]) -> str:
    width = max(map(len, groups))
    lines = []
    for name, measures in groups.items():
        lines.append(f"{name:<{width}}  {measures['queries']} with an answer, {measures['without answer']} without")
        lines += [
            f"{'':<{width}}    {column:<17}{_cell(measures[column])}" for column in _COLUMNS if column in measures
        ]
    return "\n".join(lines)


def _cell(value: Share) -> str:
    counted = "" if value.hits is None else f"  {value.hits} of {value.count}"
    return f"{value.value:.3f}  [{value.low:.3f}, {value.high:.3f}]{counted}"
