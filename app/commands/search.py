"""culdesac search: what is this error, what works, what doesn't."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any

import click

import culdesac
from culdesac.common import Stop, database_option, existing_database, read_input, stdin
from culdesac.db.file import FileError, open_readonly
from culdesac.db.messages import _, spoken
from culdesac.db.sql import statement
from culdesac.queries.answer import Answer
from culdesac.queries.engine import Engine


@click.command("search")
@click.argument("query", nargs=-1)
@database_option
@click.option("--domain", help="Only errors of this domain (pytorch, docker, …).")
@click.option("--os", "system", help="Only entries for this operating system.")
@click.option("--package", help="Only entries with a version of this package.")
@click.option(
    "-n", "number", type=click.IntRange(1, 100), default=5, show_default=True, help="How many results at most."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON object.")
@click.option("--jsonl", is_flag=True, help='Answer {"qid": …, "query": …} a line from standard input, a line each.')
@click.option("--explain", is_flag=True, help="Show what each part of the evidence contributed to each result.")
@click.option("--timing", is_flag=True, help="Say in JSON how long the search took (took_ms).")
def command(
    query: tuple[str, ...],
    db: Path | None,
    domain: str | None,
    system: str | None,
    package: str | None,
    number: int,
    as_json: bool,
    jsonl: bool,
    explain: bool,
    timing: bool,
) -> None:
    """Find the error that QUERY is about: a message, a whole log, keywords, a question, in English or Chinese.

    Without QUERY, or with -, standard input is read; of more than a million characters both ends. Exit code 0: found;
    1: nothing known fits; 2: can't search.

    \b
    culdesac search "AllReduce timed out in rank 3"
    make 2>&1 | culdesac search
    culdesac search --json --domain docker 容器一直重启怎么办
    """
    options: dict[str, Any] = {"n": number, "domain": domain, "os": system, "package": package}
    options["lang"] = "zh" if spoken() == "zh" else None
    options["explain"] = explain
    if jsonl and query and query != ("-",):
        raise click.UsageError(_("--jsonl reads its queries from standard input: leave QUERY out"))
    text = "" if jsonl else _text(query)
    path = existing_database(db)
    try:
        engine = culdesac.open(path)
        if domain and not _has_domain(path, domain):
            note = _("Note: no entry of this file is of the domain {domain}.")
            click.echo(note.format(domain=repr(domain)), err=True)
    except FileError as error:
        raise Stop(str(error)) from None
    with engine:
        if jsonl:
            sys.exit(2 if _stream(engine, options, timing) else 0)
        answer, took = _timed(engine, text, options)
    if as_json:
        click.echo(json.dumps(_as_dict(answer, took if timing else None), ensure_ascii=False, indent=2))
    else:
        from culdesac.render import answer_text

        click.echo(answer_text(answer), nl=False)
    sys.exit(0 if answer.confident else 1)


def _has_domain(path: Path, domain: str) -> bool:
    with closing(open_readonly(path)) as connection:
        return bool(connection.execute(statement("has_domain"), {"domain": domain}).fetchone()[0])


def _text(query: tuple[str, ...]) -> str:
    if query and query != ("-",):
        return " ".join(query)
    source = stdin()
    if not query and source.isatty():
        raise click.UsageError(_("nothing to search for: give a QUERY, or pipe a log in"))
    return read_input(source)


def _timed(engine: Engine, text: str, options: dict[str, Any]) -> tuple[Answer, float]:
    started = perf_counter()
    return engine.search(text, **options), (perf_counter() - started) * 1000


def _as_dict(answer: Answer, took_ms: float | None) -> dict[str, Any]:
    return answer.as_dict() | ({} if took_ms is None else {"took_ms": round(took_ms, 3)})


def _stream(engine: Engine, options: dict[str, Any], timing: bool) -> int:
    """Answer each line as it comes; gives how many lines were no query."""
    bad = 0
    for qid, query, problem in _requests():
        if problem:
            bad += 1
            click.echo(json.dumps({"qid": qid, "error": problem}, ensure_ascii=False))
        else:
            answer, took = _timed(engine, query, options | {"qid": qid})
            click.echo(json.dumps(_as_dict(answer, took if timing else None), ensure_ascii=False))
        sys.stdout.flush()
    return bad


def _requests() -> Iterator[tuple[str | None, str, str]]:
    """(qid, query, what is wrong) of each line that isn't blank."""
    for number, line in enumerate(stdin(), 1):
        if not line.strip():
            continue
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            yield None, "", f'line {number}: not JSON; expected {{"qid": …, "query": …}}'
            continue
        qid = request.get("qid") if isinstance(request, dict) else None
        query = request.get("query") if isinstance(request, dict) else None
        if isinstance(query, str):
            yield qid, query, ""
        else:
            yield qid, "", f"line {number}: query: expected a string"
