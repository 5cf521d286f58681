"""culdesac check: what is wrong with entries, before or after they are ingested."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from culdesac.common import Stop, stdin
from culdesac.db.codes import explained, severity
from culdesac.db.file import FileError, open_readonly
from culdesac.db.messages import _, speak, spoken
from culdesac.ingest.checks import CheckOptions, Severity
from culdesac.ingest.run import SAMPLE, Ingest, IngestError, Options
from culdesac.ingest.sources import Fault
from culdesac.ingest.sql import statement
from culdesac.progress import Progress
from culdesac.render import safe

#: What an ingest tells of records that it takes all the same, by field.
_TOLD = {"id": ("superseded", "info"), "note": ("page-unclear", "warning")}
_GRAVITY = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class Finding(NamedTuple):
    """One problem, as `--json` prints it. `where` is an entry id, or file:line for a record that can't be one."""

    where: str
    code: str
    severity: str
    field: str
    message: str


@click.command("check")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--sample", is_flag=True, help="Check the shipped sample.")
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Report dates after this one.")
@click.option("--stale-days", type=click.IntRange(1), default=365, show_default=True,
              help="Report entries last confirmed so long before the newest one.")  # fmt: skip
@click.option("--fail-on", type=click.Choice([severity.value for severity in Severity]), default="error",
              show_default=True, help="The severity from which on the exit code is 1.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of findings.")
def command(
    sources: tuple[str, ...], sample: bool, as_of: object, stale_days: int, fail_on: str, as_json: bool
) -> None:
    """Check entries as `ingest` does, and write nothing. docs/checks.md explains every code; beside them stand
    rejected (no entry), superseded (a later version stays) and page-unclear (a page half understood).

    Exit code 1: a finding at or above --fail-on.

    \b
    culdesac check entries/
    culdesac check errors.db --fail-on warning --json
    """
    arguments = [*([str(SAMPLE)] if sample else []), *sources]
    if not arguments:
        raise click.UsageError(_("name a SOURCE, or give --sample"))
    if as_json:
        speak("en")  # what a program reads is the same everywhere
    checks = CheckOptions(as_of=f"{as_of:%Y-%m-%d}" if as_of else None, stale_days=stale_days)
    findings = _findings(arguments, Options(checks=checks))
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            click.echo(safe(_line(finding)))
        click.echo(_summary(findings), err=True)
    worst = max((_GRAVITY[Severity(finding.severity)] for finding in findings), default=-1)
    sys.exit(1 if worst >= _GRAVITY[Severity(fail_on)] else 0)


def _findings(arguments: list[str], options: Options) -> list[Finding]:
    rejected: list[Finding] = []

    def note(fault: Fault) -> None:
        code, severity = _TOLD.get(fault.field, ("rejected", "error"))
        rejected.append(Finding(str(fault.place), code, severity, fault.field, fault.message))

    with tempfile.TemporaryDirectory(prefix="culdesac-") as folder, Progress() as progress:
        target = Path(folder) / "check.db"
        try:
            Ingest(options, note, progress, stdin()).run(arguments, target)
        except IngestError as error:
            if not rejected:
                raise Stop(str(error)) from None
            return rejected
        except FileError as error:
            raise Stop(str(error)) from None
        return [*rejected, *_problems(target)]


def _problems(path: Path) -> Iterator[Finding]:
    connection = open_readonly(path)
    try:
        for row in connection.execute(statement("read_problems")):
            yield Finding(*row)
    finally:
        connection.close()


def _line(finding: Finding) -> str:
    grave, message = severity(finding.severity, spoken()), explained(finding.code, finding.message, spoken())
    told = _("{field}: {severity}: {message}").format(field=finding.field, severity=grave, message=message)
    return f"{finding.where}: {told} [{finding.code}]"


def _summary(findings: list[Finding]) -> str:
    counts = {grave.value: 0 for grave in reversed(Severity)}
    for finding in findings:
        counts[finding.severity] += 1
    return _(", ").join(
        _("{count} {name}").format(count=f"{count:,}", name=severity(name, spoken())) for name, count in counts.items()
    )
