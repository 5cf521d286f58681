"""What a site can set for the plugin: `{"plugins": {"culdesac": {…}}}` in its metadata (1.0: its configuration)."""

from __future__ import annotations

from typing import Any

import msgspec
from datasette.utils import StartupError

#: Addresses that a site can switch off, by the option that does.
SWITCHED = {
    "dump": "/entries.ndjson",
    "feed": "/feed.atom",
    "llms": "/llms.txt",
    "openapi": "/openapi.json",
    "robots": "/robots.txt",
    "sitemap": "/sitemap.xml",
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The plugin's settings; everything is on as it comes."""

    #: Which database our pages are about when the address doesn't say.
    database: str | None = None
    #: Who may read the API from another site's page: everyone (true), or these origins. Datasette's --cors does, too.
    cors: bool | list[str] = False
    #: For how long a page may be kept without asking; None: Datasette's setting `default_cache_ttl`.
    cache_seconds: int | None = None
    #: Addresses that a site may not want to have.
    dump: bool = True
    feed: bool = True
    llms: bool = True
    openapi: bool = True
    robots: bool = True
    sitemap: bool = True

    def __post_init__(self) -> None:
        """Refuse what no site can mean."""
        if self.cache_seconds is not None and self.cache_seconds < 0:
            raise ValueError("cache_seconds: expected 0 or more")


def options(datasette: Any) -> Options:
    """The settings of a site. Raises StartupError, which Datasette says in one line, when they can't be used."""
    try:
        return msgspec.convert(datasette.plugin_config("culdesac") or {}, Options)
    except msgspec.ValidationError as error:
        raise StartupError(f"plugins.culdesac: {error}") from None
