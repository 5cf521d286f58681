"""Which database a request is about, and whether its actor may see it: Datasette's permissions hold for our pages."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from datasette.utils.asgi import Forbidden

from culdesac.db.messages import noted
from culdesac.plugins.web import files
from culdesac.plugins.web.exchange import Refused
from culdesac.plugins.web.options import options

#: Our pages show what these tables hold; who may not see one of them doesn't see the pages.
SHOWN = (
    "entries", "versions", "workarounds", "dead_ends", "step_sources", "transitions", "environments", "tags",
    "aliases", "os_notes", "problems",
)  # fmt: skip

#: Where a request's scope keeps the answer of `visible`.
_VISIBLE = "culdesac_visible"


#: The request that is answered, for hooks that aren't told.
_REQUEST: ContextVar[Any] = ContextVar("culdesac_request")


def remember(request: Any) -> None:
    """Keep the request at hand; who asks is found in it once Datasette knows."""
    _REQUEST.set(request)


def request_at_hand() -> Any:
    """The request that is answered; None outside of one."""
    return _REQUEST.get(None)


class NoDatabase(Refused):
    """No database of ours has that name."""


async def may_view_database(datasette: Any, actor: Any, name: str) -> bool:
    """Whether the actor may see the database."""
    if hasattr(datasette, "permission_allowed"):
        try:
            await datasette.ensure_permissions(actor, [("view-database", name), "view-instance"])
        except Forbidden:
            return False
        return True
    from datasette.resources import DatabaseResource  # Datasette 1.0

    return bool(await datasette.allowed(action="view-database", resource=DatabaseResource(name), actor=actor))


async def may_view_table(datasette: Any, actor: Any, name: str, table: str) -> bool:
    """Whether the actor may see the table."""
    if hasattr(datasette, "permission_allowed"):
        return bool(await datasette.permission_allowed(actor, "view-table", resource=(name, table), default=True))
    from datasette.resources import TableResource  # Datasette 1.0

    return bool(await datasette.allowed(action="view-table", resource=TableResource(name, table), actor=actor))


async def may_view_entries(datasette: Any, actor: Any, name: str) -> bool:
    """Whether the actor may see the database and every table that our pages show."""
    if not await may_view_database(datasette, actor, name):
        return False
    for table in SHOWN:
        if not await may_view_table(datasette, actor, name, table):
            return False
    return True


async def visible(datasette: Any, request: Any) -> dict[str, Any]:
    """Our databases that the actor may see, by name, in Datasette's order; asked once for each request."""
    found: dict[str, Any] | None = request.scope.get(_VISIBLE)
    if found is None:
        found = request.scope[_VISIBLE] = {
            name: database
            for name, database in files.databases(datasette).items()
            if await may_view_entries(datasette, request.actor, name)
        }
    return found


async def chosen(datasette: Any, request: Any, asked: str | None) -> Any:
    """The database a request is about: the one asked for, else the configured one, else the first.

    Raises Forbidden when the actor may not see it, NoDatabase when there is none of that name.
    """
    ours, seen = files.databases(datasette), await visible(datasette, request)
    if asked:
        found = next((database for database in ours.values() if asked in (database.name, database.route)), None)
        if found is None:
            raise NoDatabase(404, noted("no database {name} of error knowledge here"), {"name": repr(asked)})
        if found.name not in seen:
            raise Forbidden("view-database")
        return found
    if not ours:
        raise NoDatabase(404, noted("no database of error knowledge here"))
    if not seen:
        raise Forbidden("view-database")
    configured = options(datasette).database
    return seen.get(configured or "") or next(iter(seen.values()))
