"""What Datasette shows around our tables: titles, descriptions, facets, order, sources and licences."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from culdesac.db.messages import noted, translations
from culdesac.plugins.web import files
from culdesac.plugins.web.asked_language import SPOKEN
from culdesac.plugins.web.columns import HIDDEN, TABLES
from culdesac.plugins.web.facets import CHILDREN

_DESCRIPTION = noted(
    "Known errors, the workarounds that work and the dead ends that don't. "
    "Rates and counts are the claims of the entries' authors."
)
_FACETS = [
    "domain", "category", "resolvable", "verification_tier", "root_cause_type", "os", "country",
    *({child.name: child.name} for child in CHILDREN),
]  # fmt: skip
#: How a table is shown. An entry's label is its signature: that is what a foreign key to it reads as.
_SETTINGS: dict[str, dict[str, Any]] = {
    "entries": {
        "facets": _FACETS,
        "label_column": "signature",
        "size": 50,
        "sortable_columns": [
            "pk", "id", "signature", "domain", "category", "resolvable", "fix_success_rate", "confidence",
            "evidence_count", "os", "country", "first_seen", "last_confirmed", "last_updated",
        ],
    },
    "search": {
        "facets": _FACETS,
        "sort": "rank",
        "size": 20,
        "sortable_columns": ["rank", "pk", "id", "signature", "domain", "category", "resolvable", "fix_success_rate"],
    },
    "workarounds": {
        "label_column": "action",
        "size": 50,
        "sortable_columns": ["pk", "entry", "position", "action", "success_rate"],
    },
    "dead_ends": {
        "label_column": "action",
        "size": 50,
        "sortable_columns": ["pk", "entry", "position", "action", "fail_rate"],
    },
    "versions": {"facets": ["package", "kind", "status"]},
    "transitions": {"facets": ["kind"]},
    "environments": {"facets": ["scope", "key"]},
    "tags": {"facets": ["value"]},
    "os_notes": {"facets": ["os"]},
    "problems": {"facets": ["severity", "code", "field"], "label_column": "message"},
    "queries": {"label_column": "title"},
}  # fmt: skip


# What Datasette asks for a dozen times for each request to know who may see what, and copies whole each time. Ours says
# nothing about it.
_NOT_OURS = ("allow", "allow_sql", "plugins", "queries", "tables")


def sources(about: dict[str, str]) -> dict[str, str]:
    """The licence of each source that a file is made from, by the source's name; "" where none is known."""
    found: dict[str, str] = {}
    for key, value in about.items():
        kind, _, rest = key.partition("/")
        name, _, what = rest.rpartition("/")
        if kind == "source" and name:
            found[name] = value if what == "licence" else found.get(name, "")
    return dict(sorted(found.items()))


def counts(about: dict[str, str]) -> dict[str, int]:
    """What the file says it holds; what isn't a number is left out."""
    found = {key.removeprefix("count/"): value for key, value in about.items() if key.startswith("count/")}
    return {key: int(value) for key, value in found.items() if value.isascii() and value.isdigit() and len(value) < 18}


def _origin(about: dict[str, str]) -> dict[str, str]:
    found = sources(about)
    origin = {"source": ", ".join(found)} if found else {}
    licences = sorted({licence for licence in found.values() if licence})
    return origin | ({"license": ", ".join(licences)} if licences else {})


def _table(name: str) -> dict[str, Any]:
    table, say = TABLES[name], translations(SPOKEN.get().lang).gettext
    columns = {column: say(text) for column, text in table.columns.items()}
    settings = deepcopy(_SETTINGS.get(name, {}))
    return {"title": say(table.title), "description": say(table.description), "columns": columns, **settings}


def _database(path: str) -> dict[str, Any]:
    tables = {name: _table(name) for name in TABLES} | {name: {"hidden": True} for name in HIDDEN}
    description = translations(SPOKEN.get().lang).gettext(_DESCRIPTION)
    return {"description": description, **_origin(files.about(path)), "tables": tables}


def metadata(datasette: Any, key: str | None = None) -> dict[str, Any]:
    """For the hook get_metadata, in the language of the page.

    Datasette writes into what it gets, so it gets a new one each time.
    """
    if key in _NOT_OURS:
        return {}
    return {"databases": {name: _database(database.path) for name, database in files.databases(datasette).items()}}


async def register(datasette: Any) -> None:
    """Datasette 1.0 keeps texts in its internal database and the rest in its configuration: fill in what isn't set."""
    if not hasattr(datasette, "set_resource_metadata"):
        return
    for name, database in files.databases(datasette).items():
        ours = _database(database.path)
        tables = ours.pop("tables")
        for key in ours.keys() - await datasette.get_database_metadata(name):
            await datasette.set_database_metadata(name, key, ours[key])
        configured = datasette.config.setdefault("databases", {}).setdefault(name, {}).setdefault("tables", {})
        for table, settings in tables.items():
            texts = {key: settings.pop(key) for key in ("title", "description") if key in settings}
            for key in texts.keys() - await datasette.get_resource_metadata(name, table):
                await datasette.set_resource_metadata(name, table, key, texts[key])
            for column, text in settings.pop("columns", {}).items():
                if "description" not in await datasette.get_column_metadata(name, table, column):
                    await datasette.set_column_metadata(name, table, column, "description", text)
            configured[table] = {**settings, **configured.get(table, {})}
