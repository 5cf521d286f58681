"""culdesac serve: the website."""

from __future__ import annotations

from pathlib import Path

import click

from culdesac.common import Stop, database_option, existing_database
from culdesac.db.file import FileError, open_searchable
from culdesac.db.messages import _


@click.command("serve")
@database_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="0: any free port.")
@click.option("--open", "open_browser", is_flag=True, help="Open the site in a browser.")
def command(db: Path | None, host: str, port: int, open_browser: bool) -> None:
    """Serve the file as a website with Datasette: search box, entry pages, tables, JSON API.

    \b
    culdesac serve --db errors.db
    culdesac serve --port 0 --open
    """
    path = existing_database(db)
    try:
        open_searchable(path).close()
    except FileError as error:
        raise Stop(str(error)) from None
    from culdesac.plugins.web.serve import serve

    def ready(address: str) -> None:
        click.echo(_("Culdesac serves {file} at {address} (stop with Ctrl-C)").format(file=path, address=address))

    try:
        serve(path, host=host, port=port, open_browser=open_browser, ready=ready)
    except OSError as error:
        message = _("{place}: can't listen there: {reason}; choose another with --host or --port")
        raise Stop(message.format(place=f"{host}:{port}", reason=error)) from None
