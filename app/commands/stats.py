"""culdesac stats: what a file holds and what it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import click

import culdesac
from culdesac.common import Stop, database_option, existing_database
from culdesac.db.file import FileError
from culdesac.render import safe


@click.command("stats")
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(db: Path | None, as_json: bool) -> None:
    """Say what the file holds, what made it and from which sources.

    \b
    culdesac stats --db errors.db
    culdesac stats --json
    """
    path = existing_database(db)
    try:
        with culdesac.open(path) as engine:
            about = engine.about()
    except FileError as error:
        raise Stop(str(error)) from None
    if as_json:
        click.echo(json.dumps(about, ensure_ascii=False, indent=2))
        return
    width = max(map(len, about), default=0)
    click.echo(click.style(str(path), bold=True))
    for key, value in about.items():
        click.echo(f"{safe(key):<{width}}  {safe(value)}")
