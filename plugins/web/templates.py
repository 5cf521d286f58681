"""Our templates and the stylesheet, beside this module."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
TEMPLATES = _HERE / "templates"


def add_loader(environment: Any) -> None:
    """Add our templates as `culdesac/…`. A site's own template folder comes first, so it can replace any of them."""
    ours = PrefixLoader({"culdesac": FileSystemLoader(TEMPLATES)})
    environment.loader = ChoiceLoader([environment.loader, ours])


@cache
def static_files() -> dict[str, bytes]:
    """What we serve, by name: read once, nothing else can be asked for."""
    return {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in (".css", ".js")}


@cache
def static_hash(name: str) -> str:
    """A short hash of a static file, for an address that may be cached for ever."""
    return hashlib.sha256(static_files()[name]).hexdigest()[:10]
