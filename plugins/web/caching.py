"""Validators and lifetimes: what lets a browser or a CDN keep our pages, and ask cheaply whether they still hold.

A page is a function of our files, of this version with its templates, of the site's settings, of the address and of who
asks: the tag is a hash of those, so that "not modified" is said without making the page. Its lifetime is Datasette's
own setting, a few seconds as it comes, so that a file that is replaced is soon seen behind a CDN, too.
"""

from __future__ import annotations

import hashlib
import json
import time
from functools import cache
from pathlib import Path
from typing import Any

from culdesac.db.messages import LOCALE
from culdesac.plugins.web import files
from culdesac.plugins.web.access import visible
from culdesac.plugins.web.options import options
from culdesac.plugins.web.templates import TEMPLATES, static_files

# A site's own templates are read by Datasette when it likes: a tag then holds for one process only.
_STARTED = time.time_ns()


@cache
def _own() -> str:
    """A hash of everything of ours that a page is made with: our code, SQL, templates, static files and messages."""
    here = Path(__file__).parent
    found = hashlib.sha256()
    for path in sorted([*here.glob("*.py"), *here.glob("sql/*.sql"), *TEMPLATES.iterdir(), *LOCALE.rglob("*.mo")]):
        if path.is_file():
            found.update(path.read_bytes())
    for body in static_files().values():
        found.update(body)
    return found.hexdigest()


async def tag(datasette: Any, request: Any, *vary: str) -> str:
    """The entity tag of what the request asks for; `vary` names the request's headers that matter, too."""
    ours = await visible(datasette, request)
    parts = [
        _own(),
        _STARTED if datasette.template_dir else None,
        [(name, files.identity(database.path)) for name, database in ours.items()],
        list(datasette.databases),
        datasette.plugin_config("culdesac"),
        datasette.setting("base_url"),
        request.actor,
        # The host stands in absolute addresses.
        [request.scheme, request.host, request.path, request.query_string],
        [request.headers.get(name) for name in vary],
    ]
    text = json.dumps(parts, sort_keys=True, default=str)
    # Weak: a proxy may compress the body.
    return f'W/"{hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]}"'


def matches(request: Any, found: str) -> bool:
    """Whether the client says it has what the tag names (RFC 9110, 13.1.2; weak comparison)."""
    given = request.headers.get("if-none-match", "")
    return found.removeprefix("W/") in [one.strip().removeprefix("W/") for one in given.split(",")]


def lifetime(datasette: Any, request: Any) -> str:
    """The Cache-Control of an answer: what was made for someone in particular is kept by nobody else."""
    if request.actor is not None or "authorization" in request.headers:
        return "private, no-cache"
    seconds = options(datasette).cache_seconds
    seconds = datasette.setting("default_cache_ttl") if seconds is None else seconds
    return f"public, max-age={seconds}" if seconds else "public, no-cache"
