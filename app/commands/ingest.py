"""culdesac ingest: make the file, or bring it up to date."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from culdesac.common import Stop, database_option, default_database, stdin
from culdesac.db.file import FileError
from culdesac.db.messages import _
from culdesac.ingest.checks import CheckOptions
from culdesac.ingest.run import SAMPLE, Ingest, IngestError, Options, Report
from culdesac.ingest.sources import Fault, Limits
from culdesac.progress import Progress
from culdesac.render import safe
from culdesac.shipped import shipped_queries
from culdesac.size import SIZE


@click.command("ingest")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@database_option
@click.option(
    "--sample", is_flag=True, help="Ingest the shipped sample: 120 entries in English and Chinese, CC BY 4.0."
)
@click.option("--prune", is_flag=True, help="Remove what the sources no longer hold.")
@click.option("--strict", is_flag=True, help="Write nothing when a record is rejected.")
@click.option("--licence", help="The licence of these sources, where they don't say it themselves.")
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Report dates after this one.")
@click.option("--max-record", type=SIZE, default="16MB", show_default=True, help="The size of one record at most.")
@click.option("--max-total", type=SIZE, default="4GB", show_default=True, help="What one archive unpacks to at most.")
@click.option("--max-ratio", type=click.IntRange(1), default=200, show_default=True, help="Unpacked : packed at most.")
def command(
    sources: tuple[str, ...],
    db: Path | None,
    sample: bool,
    prune: bool,
    strict: bool,
    licence: str | None,
    as_of: object,
    max_record: int,
    max_total: int,
    max_ratio: int,
) -> None:
    """Read entries from each SOURCE and write them to the database.

    A SOURCE is a .json, .jsonl or entry page (.txt, .md, .html), gzipped or not, a folder, a .zip, .whl or .tar.gz,
    another Culdesac .db, or - for standard input. Its content decides what it is. A broken record is reported as
    file:line: field: what is wrong, and kept out; the good ones are loaded.

    Exit code 0: all loaded; 1: written, but some were rejected; 2: nothing written.

    \b
    culdesac ingest --sample
    pip download --no-deps deadends-dev && culdesac ingest deadends_dev-*.whl
    culdesac ingest entries/ more.jsonl.gz --db errors.db --prune
    """
    arguments = [*([str(SAMPLE)] if sample else []), *sources]
    if not arguments:
        raise click.UsageError(_("name a SOURCE, or give --sample"))
    target = db or default_database()
    options = Options(
        limits=Limits(record=max_record, total=max_total, ratio=max_ratio),
        checks=CheckOptions(as_of=f"{as_of:%Y-%m-%d}" if as_of else None),
        prune=prune,
        strict=strict,
        licence=licence,
    )
    with Progress() as progress:
        run = Ingest(options, lambda fault: progress.line(tell(fault)), progress, stdin(), shipped_queries())
        try:
            report = run.run(arguments, target)
        except (IngestError, FileError) as error:
            raise Stop(safe(str(error))) from None
    click.echo(summary(report, target))
    if report.kept:
        click.echo(_("nothing was pruned, since a rejected record may be one of those that the file has"), err=True)
    sys.exit(1 if report.rejected else 0)


def tell(fault: Fault) -> str:
    """A fault as one safe line."""
    return safe(str(fault))


def summary(report: Report, target: Path) -> str:
    """The counts, in one line."""
    changes = report.changes
    counts = [
        (_("{count} added"), changes.added),
        (_("{count} updated"), changes.updated),
        (_("{count} unchanged"), changes.unchanged),
        (_("{count} removed"), changes.removed),
        (_("{count} rejected"), report.rejected),
        *([(_("{count} superseded"), report.superseded)] if report.superseded else []),
    ]
    told = _(", ").join(message.format(count=f"{count:,}") for message, count in counts)
    entries = _("{count} entries").format(count=f"{changes.entries:,}")
    state = entries if report.written else _("nothing new, the file stays as it is")
    return _("{file}: {changes}; {state}").format(file=safe(str(target)), changes=told, state=state)
