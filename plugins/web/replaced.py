"""A file that is replaced under a running site: Datasette's open connections would show the old one for ever.

Datasette keeps a connection for each thread of its executor. When one of our files isn't the one it was, the executor
gives way to a new one, whose threads open the files anew; the old one finishes what it has and its connections are
closed. All in the event loop's thread, between two requests, so no query can go to an executor that is closed.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from culdesac.plugins.web.files import Stamp, is_ours, stamp

Asgi = Callable[..., Awaitable[None]]
#: What a Database remembers about the file, and the value that makes it look again.
_REMEMBERED = ("cached_hash", "cached_size", "_cached_table_counts")


def wrapper(datasette: Any) -> Callable[[Asgi], Asgi]:
    """An ASGI middleware that looks at our files before each request: a stat each."""
    watch = Watch(datasette)

    def wrap(app: Asgi) -> Asgi:
        async def watched(scope: dict[str, Any], receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                watch.look()
            await app(scope, receive, send)

        return watched

    return wrap


class Watch:
    """What our files were when they were last looked at."""

    def __init__(self, datasette: Any) -> None:
        self._datasette = datasette
        self._seen: dict[str, Stamp] = {}
        self._looked()

    def _looked(self) -> list[Any]:
        """The databases whose file isn't the one it was."""
        changed = []
        for name, database in self._datasette.databases.items():
            now = stamp(database.path)
            if now is None or (name not in self._seen and not is_ours(database.path)):
                continue
            if self._seen.setdefault(name, now) != now:
                self._seen[name] = now
                changed.append(database)
        return changed

    def look(self) -> None:
        """Reopen what was replaced."""
        changed = self._looked()
        if changed:
            for database in changed:
                _forget(database)
            _renew(self._datasette)


def _forget(database: Any) -> None:
    for name in _REMEMBERED:
        if hasattr(database, name):
            setattr(database, name, None)
    # Without threads (num_sql_threads 0) the one connection hangs here.
    connection = getattr(database, "_read_connection", None)
    if connection is not None:
        database._read_connection = None
        connection.close()


def _renew(datasette: Any) -> None:
    old = getattr(datasette, "executor", None)
    if old is None:
        return
    datasette.executor = ThreadPoolExecutor(max_workers=datasette.setting("num_sql_threads"))
    connections: list[Any] = []
    for database in datasette.databases.values():
        # A thread that writes has a connection in the same list, and keeps it.
        if getattr(database, "_write_thread", None) is None and getattr(database, "_all_file_connections", None):
            connections += database._all_file_connections
            database._all_file_connections = []
    threading.Thread(target=_retire, args=(old, connections), name="culdesac-reopen", daemon=True).start()


def _retire(executor: ThreadPoolExecutor, connections: list[Any]) -> None:
    executor.shutdown(wait=True)
    for connection in connections:
        connection.close()
