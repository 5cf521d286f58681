"""The shipped queries as Datasette's canned queries."""

from __future__ import annotations

from typing import Any

from culdesac.plugins.web import files
from culdesac.plugins.web.asked_language import SPOKEN
from culdesac.queries.shipped import shipped


def canned(datasette: Any, database: str) -> dict[str, dict[str, Any]]:
    """By name, for a database of ours, in the language of the page; none for another."""
    if not files.is_our_database(datasette, database):
        return {}
    chinese = SPOKEN.get().lang == "zh"
    return {
        query.name: {
            "sql": query.sql,
            "title": query.title_zh if chinese else query.title,
            "params": list(query.parameters),
            "hide_sql": True,
        }
        for query in shipped()
    }


async def register(datasette: Any) -> None:
    """Datasette 1.0 has no hook for them: hand them over at the start."""
    if not hasattr(datasette, "add_query"):
        return
    for name in files.databases(datasette):
        for query in shipped():
            told = {"title": query.title, "parameters": list(query.parameters), "hide_sql": True}
            await datasette.add_query(name, query.name, query.sql, **told)
