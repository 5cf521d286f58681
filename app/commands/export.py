"""culdesac export: every document, as it went in."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

import culdesac
from culdesac.common import Stop, database_option, existing_database
from culdesac.db.documents import BadDocument
from culdesac.db.file import FileError


@click.command("export")
@database_option
@click.option(
    "--dialect",
    type=click.Choice(["own", "flat"]),
    default="own",
    show_default=True,
    help="own: each as it came; flat: all in the flat dialect, but only the fields that the model knows.",
)
def command(db: Path | None, dialect: str) -> None:
    """Write every entry to standard output, a JSON document a line: what `ingest` takes, it gives back.

    \b
    culdesac export --db errors.db > entries.jsonl
    culdesac export --dialect flat | gzip > flat.jsonl.gz
    """
    out = sys.stdout.buffer
    try:
        with culdesac.open(existing_database(db)) as engine:
            for document in engine.export(None if dialect == "own" else dialect):
                out.write(json.dumps(document, ensure_ascii=False).encode() + b"\n")
            out.flush()
    except (FileError, BadDocument) as error:
        raise Stop(str(error)) from None
