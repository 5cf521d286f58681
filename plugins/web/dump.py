"""`/entries.ndjson`: every document, a line each, sent while it is read."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

from datasette.utils.asgi import AsgiStream

from culdesac.db.messages import noted
from culdesac.plugins.web.access import chosen
from culdesac.plugins.web.exchange import Refused, in_thread
from culdesac.plugins.web.pool import pool
from culdesac.plugins.web.respond import view

#: Documents that are read and sent at a time: memory is theirs, and a thread is held for no longer.
_BATCH = 200
_DIALECTS = {"own": None, "flat": "flat"}


@view("GET", api=True)
async def entries_ndjson(datasette: Any, request: Any) -> AsgiStream:
    """What `culdesac export` writes: what `culdesac ingest` takes. One file from start to end, replaced or not."""
    dialect = request.args.get("dialect") or "own"
    if dialect not in _DIALECTS:
        raise Refused(400, noted("dialect: expected own or flat"))
    database = await chosen(datasette, request, request.args.get("db"))
    lines = _lines(datasette, database.path, _DIALECTS[dialect])
    # A file that can't be read is said before the first byte.
    first = await in_thread(datasette, lambda: _batch(lines))

    async def send(writer: Any) -> None:
        with closing(lines):
            batch = first
            while batch:
                await writer.write(batch)
                batch = await in_thread(datasette, lambda: _batch(lines))

    return AsgiStream(send, content_type="application/x-ndjson; charset=utf-8")


def _lines(datasette: Any, path: str, dialect: str | None) -> Generator[str, None, None]:
    with pool(datasette).engine(path) as engine:
        for document in engine.export(dialect):
            yield json.dumps(document, ensure_ascii=False) + "\n"


def _batch(lines: Iterator[str]) -> str:
    return "".join(islice(lines, _BATCH))
