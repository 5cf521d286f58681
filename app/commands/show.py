"""culdesac show: one entry in full."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

import culdesac
from culdesac.common import Stop, database_option, existing_database
from culdesac.db.file import FileError
from culdesac.db.messages import _, spoken
from culdesac.queries.engine import UnknownEntry
from culdesac.render import safe


@click.command("show")
@click.argument("entry_id", metavar="ID")
@database_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True,
    help="json: the flat dialect, as it was ingested when it came flat.",
)  # fmt: skip
def command(entry_id: str, db: Path | None, form: str) -> None:
    """Show the entry ID, or the best variant of the error ID. Exit code 1: there is none.

    \b
    culdesac show pytorch/cuda-out-of-memory-training
    culdesac show pytorch/cuda-out-of-memory-training --format markdown --lang zh
    """
    try:
        with culdesac.open(existing_database(db)) as engine:
            shown = engine.show(entry_id)
    except FileError as error:
        raise Stop(str(error)) from None
    except UnknownEntry:
        message = _("{id}: no entry or error of that id; find one with: culdesac search")
        click.echo(message.format(id=safe(entry_id)), err=True)
        raise SystemExit(1) from None
    if form == "json":
        document = shown.own if "signature" in shown.own else shown.document
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    elif form == "markdown":
        from culdesac.queries.page import markdown

        text = markdown(shown.document, lang=spoken(), problems=shown.problems, variants=shown.variants)
        # To a file the page goes as it is; a terminal would obey what an entry's text tells it.
        click.echo(safe(text) if sys.stdout.isatty() else text, nl=False)
    else:
        from culdesac.entry import entry_text

        click.echo(entry_text(shown), nl=False)
