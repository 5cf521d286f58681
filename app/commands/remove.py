"""culdesac remove: take entries out of the file."""

from __future__ import annotations

from pathlib import Path

import click

from culdesac.commands.ingest import summary, tell
from culdesac.common import Stop, database_option, existing_database, stdin
from culdesac.db.file import FileError
from culdesac.ingest.run import Ingest, IngestError, Options
from culdesac.progress import Progress
from culdesac.render import safe
from culdesac.shipped import shipped_queries


@click.command("remove")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@database_option
def command(ids: tuple[str, ...], db: Path | None) -> None:
    """Remove the entry ID, or every variant of the error ID. The file is written anew, or stays whole.

    \b
    culdesac remove pytorch/cuda-out-of-memory-training --db errors.db
    """
    target = existing_database(db)
    with Progress() as progress:
        run = Ingest(Options(), lambda fault: progress.line(tell(fault)), progress, stdin(), shipped_queries())
        try:
            report = run.run((), target, remove=ids)
        except (IngestError, FileError) as error:
            raise Stop(safe(str(error))) from None
    click.echo(summary(report, target))
