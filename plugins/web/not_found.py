"""What isn't there: a page of ours, with a search box, in the place of Datasette's bare one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from datasette.utils import await_me_maybe
from datasette.utils.asgi import Response

from culdesac.db.messages import Lang, noted
from culdesac.plugins.web import files
from culdesac.plugins.web.access import visible
from culdesac.plugins.web.addresses import local
from culdesac.plugins.web.asked_language import SPOKEN
from culdesac.plugins.web.exchange import Asked, Refused
from culdesac.plugins.web.labels import language
from culdesac.plugins.web.options import SWITCHED
from culdesac.plugins.web.respond import page, view

#: Templates by which a site says itself what isn't there.
_OWN = ("404.html", "error.html")


def answers(datasette: Any, request: Any, exception: Exception, given: list[Any]) -> list[Any]:
    """What is tried in turn for an exception: what other plugins gave, our page, and last Datasette's own.

    Datasette would make its own whatever others gave, and print a traceback for every address that isn't there.
    """
    if getattr(exception, "status", None) != 404 or not given:
        return given
    *others, own = given

    async def first() -> Any:
        for other in others:
            response = await await_me_maybe(other)
            if response is not None:
                return response
        if local(datasette.setting("base_url"), request.path) in SWITCHED.values() and files.databases(datasette):
            return await _off(datasette, request)
        return await page_for(datasette, request) or await await_me_maybe(own)

    return [first]


@view("GET", api=True)
async def _off(datasette: Any, request: Any) -> Response:
    """What a program gets at an address of the API that the site has switched off: the other ones have a route."""
    raise Refused(404, noted("this site has switched this address off"))


async def page_for(datasette: Any, request: Any) -> Response | None:
    """The page for an address that nothing answers; None where it isn't ours to say.

    Programs get Datasette's own answer, which is JSON, and so does who may see none of our databases.
    """
    if request.path.endswith(".json"):
        return None
    folder = datasette.template_dir
    if (folder and any((Path(folder) / name).exists() for name in _OWN)) or not await visible(datasette, request):
        return None
    return await not_found(datasette, request, {"address": request.path[:300]})


async def not_found(datasette: Any, request: Any, told: dict[str, Any]) -> Response:
    """The page, with a box that searches; `told` says what isn't there."""
    # Of an address below a file of ours, Datasette's own pages know the language. No other has a use for `_lang`.
    asked = request.args.get("lang") or request.args.get("_lang")
    lang: Lang = "zh" if SPOKEN.get().lang == "zh" else language(asked)
    ours = list(await visible(datasette, request))
    asked = request.args.get("db")
    # A database that isn't there, or not for this reader, is no place to search.
    asked = asked if asked in ours else None
    kept = Asked(lang="zh" if lang == "zh" else None, db=asked)
    own = str(datasette.urls.path(local(datasette.setting("base_url"), request.path)))
    context = {
        "path": datasette.urls.path("/search"),
        "database": asked or ours[0],
        "databases": ours,
        "wanted": replace(kept, q=told.get("words", "")),
        "other_language": kept.address(own, lang="en" if lang == "zh" else "zh"),
        **told,
    }
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return await page(datasette, request, "unknown.html", context, lang, 404, headers)
