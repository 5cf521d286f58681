"""Addresses as they are here, behind whatever prefix (`base_url`) a site has."""

from __future__ import annotations

from itertools import count
from typing import Any

from culdesac.plugins.web import files
from culdesac.plugins.web.options import options

#: First segments of our addresses that a database's could have, too.
_TAKEN = {"entry", "overview", "search"}


def local(base: str, path: str) -> str:
    """A request's path without the prefix, which a proxy may have taken off already; one slash before it.

    With two, a link to it would lead to a host of that name.
    """
    return "/" + (path[len(base) :] if path.startswith(base) else path).lstrip("/")


def make_way(datasette: Any) -> None:
    """Give each database whose address is one of ours another, by which every link finds it: `/entry_2` for entry.db.

    That is how Datasette names the second of two files of one name. The database's name stays.
    """
    if not files.databases(datasette):
        return
    # A database's JSON would be at /openapi.json.
    taken = _TAKEN | ({"openapi"} if options(datasette).openapi else set())
    routes = taken | {database.route for database in datasette.databases.values()}
    for database in datasette.databases.values():
        if database.route in taken:
            database.route = next(one for number in count(2) if (one := f"{database.route}_{number}") not in routes)
            routes.add(database.route)
