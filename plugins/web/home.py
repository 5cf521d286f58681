"""The front page: a search box, and what there is to search."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from datasette.utils.asgi import Forbidden, Response

from culdesac.plugins.web import files
from culdesac.plugins.web.access import chosen, may_view_database, visible
from culdesac.plugins.web.exchange import Asked, in_thread
from culdesac.plugins.web.labels import language, preferred
from culdesac.plugins.web.links import entry_path
from culdesac.plugins.web.metadata import counts, sources
from culdesac.plugins.web.pool import Example, pool
from culdesac.plugins.web.respond import page, refuse, view

#: Examples shown, and the best documented entries of which they are chosen.
_EXAMPLES, _LOOKED_AT = 6, 60
_DOMAINS = 60


async def home(datasette: Any, request: Any) -> Response:
    """Our front page; Datasette's own where the site has made one, or the reader may see none of our databases."""
    own = datasette.template_dir and (Path(datasette.template_dir) / "index.html").exists()
    if own or not await visible(datasette, request):
        from datasette.views.index import IndexView

        try:
            index: Response = await IndexView.as_view(datasette)(request, None)
        except Forbidden as forbidden:
            index = await refuse(datasette, request, forbidden)
        return index
    return await _home(datasette, request)


@view("GET", vary=("accept-language",))
async def _home(datasette: Any, request: Any) -> Response:
    if not request.query_string and preferred(request.headers.get("accept-language", "")) == "zh":
        # Only here: every other address says its language, so that caches work.
        return Response.redirect(Asked(lang="zh").address(str(datasette.urls.instance())))
    database = await chosen(datasette, request, request.args.get("db"))
    lang = language(request.args.get("lang"))
    domains, examples = await in_thread(datasette, lambda: _look(datasette, database.path))
    about = files.about(database.path)
    asked = Asked(lang=lang if lang == "zh" else None, db=request.args.get("db"))
    others = [
        name for name in datasette.databases
        if name not in ("_internal", "_memory") and await may_view_database(datasette, request.actor, name)
    ]  # fmt: skip
    context = {
        "path": datasette.urls.path("/search"),
        "wanted": asked,
        "database": database.name,
        "databases": list(await visible(datasette, request)),
        "others": others,
        "domains": [(name, count, _listed(datasette, name, asked)) for name, count in domains[:_DOMAINS]],
        "examples": [_example(datasette, example, asked) for example in examples],
        "counts": counts(about),
        "sources": sources(about),
        "made": _made(database.path),
        "version": about.get("culdesac"),
        "other_language": asked.address(str(datasette.urls.instance()), lang="en" if lang == "zh" else "zh"),
    }
    return await page(datasette, request, "home.html", context, lang)


def _made(path: str) -> str | None:
    """The day on which the file was written last. The file itself says nothing of time: its bytes depend on none."""
    found = files.stamp(path)
    return found and datetime.fromtimestamp(found.modified / 1e9, UTC).date().isoformat()


def _look(datasette: Any, path: str) -> tuple[list[tuple[str, int]], list[Example]]:
    with pool(datasette).engine(path) as engine:
        return engine.domains(), _varied(engine.best(_LOOKED_AT))


def _varied(best: list[Example]) -> list[Example]:
    """Each error once, and while there are others each domain once."""
    errors: dict[str, Example] = {}
    for example in best:
        errors.setdefault(example.error_id, example)
    domains: dict[str | None, Example] = {}
    for example in errors.values():
        domains.setdefault(example.domain, example)
    first = list(domains.values())
    return [*first, *(example for example in errors.values() if example not in first)][:_EXAMPLES]


def _listed(datasette: Any, domain: str, asked: Asked) -> str:
    return asked.address(str(datasette.urls.path("/search")), domain=domain)


def _example(datasette: Any, example: Example, asked: Asked) -> dict[str, Any]:
    title = (example.signature_zh if asked.lang == "zh" else None) or example.signature
    return {"title": title, "domain": example.domain, "address": asked.address(entry_path(datasette, example.id))}
