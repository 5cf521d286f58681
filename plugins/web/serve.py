"""`culdesac serve`: Datasette with this plugin and settings that fit the file. Nothing is wrong without them."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from culdesac.db.file import open_searchable
from culdesac.db.messages import _, reason

if TYPE_CHECKING:
    from datasette.app import Datasette

#: The file isn't opened as immutable: a file that is replaced while the site runs is noticed.
SETTINGS: dict[str, Any] = {
    "sql_time_limit_ms": 3000,
    # A facet that takes longer is left out; it must be shorter than a query's limit.
    "facet_time_limit_ms": 1500,
    # Suggesting facets tries every column of the page, each time; ours are set.
    "suggest_facets": False,
    "default_facet_size": 20,
    "truncate_cells_html": 400,
}
#: A search box sends a pasted log as one address: this long at most.
_LONGEST_ADDRESS = 2**22


def site(path: Path) -> Datasette:
    """The Datasette that `serve` runs. Raises FileError when the file isn't one of ours or can't be read."""
    from datasette.app import Datasette

    open_searchable(path).close()
    return Datasette([str(path)], settings=SETTINGS)


def serve(
    path: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8001,
    open_browser: bool = False,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve a file until interrupted. `ready` gets the site's address once it answers; port 0 takes any free one.

    Raises FileError for a file that can't be served, OSError with the reason for an address that can't be listened on.
    """
    datasette = site(path)
    with closing(_listen(host, port)) as listening:
        address = _address(host, listening)

        def started() -> None:
            ready(address)
            if open_browser:
                webbrowser.open(address)

        _run(datasette.app(), listening, started)


def _listen(host: str, port: int) -> socket.socket:
    listening = None
    try:
        if not 0 <= port <= 65_535:
            # getaddrinfo takes it modulo 65,536.
            raise OSError(_("no such port"))
        family, kind, protocol, _canonical, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(128)
    except (OSError, UnicodeError) as error:
        if listening is not None:
            listening.close()
        unknown = isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME
        raise OSError(_("no such host") if unknown else reason(error)) from None
    return listening


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _run(app: Any, listening: socket.socket, started: Callable[[], None]) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                started()

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=_LONGEST_ADDRESS,
        http="h11",
    )
    try:
        Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        return
