"""`/openapi.json`: the API described for programs, made from what it really is.

The answer's schema comes from its data classes, an entry's from the flat dialect, and the list of addresses from the
site's settings. A test asks every address with what the description allows and forbids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from culdesac import __version__
from culdesac.db import dialects
from culdesac.plugins.web.exchange import MOST_BODY
from culdesac.plugins.web.options import options
from culdesac.plugins.web.respond import answer_json, view
from culdesac.queries.answer import Answer

Schema = dict[str, Any]

_ERROR: Schema = {
    "type": "object",
    "properties": {"ok": {"const": False}, "error": {"type": "string"}},
    "required": ["ok", "error"],
}
_TEXT: Schema = {"type": "string"}
#: What a search takes: in an address, a form, or JSON.
_SEARCH: dict[str, Schema] = {
    "q": {
        "type": "string",
        "description": "An error message, a log, keywords or a question, in English or Chinese. A long one in an "
        "address may be z instead: raw deflate of its UTF-8, in base64url without padding. Empty: what passes the "
        "filters is listed, the best documented first; without a filter there are no results.",
    },
    "n": {"type": "integer", "minimum": 1, "description": "Results at most, by default 5; more than 100 are 100."},
    "domain": {"type": "string", "description": "Only entries of this domain."},
    "os": {"type": "string", "description": "Only entries for this operating system."},
    "package": {"type": "string", "description": "Only entries that name this package."},
    "category": {"type": "string", "description": "Only entries of this category."},
    "resolvable": {"type": "string", "description": "Only errors of this verdict.", "examples": ["true", "partial"]},
    "verification_tier": {"type": "string", "description": "Only entries that were verified like this."},
    "country": {"type": "string", "description": "Only entries about this country."},
    "chinese": {"type": "string", "description": "yes: only entries with Chinese.", "examples": ["yes"]},
    "lang": {"enum": ["en", "zh", ""], "description": "The language that snippets prefer; zh-CN and the like are zh."},
    "db": {"type": "string", "description": "Which database, where a site has several."},
}
_SCORE: Schema = {
    "type": ["number", "null"],
    "description": "From 0 to 1, how sure the result is; null in a list of what passes the filters, where q is empty.",
}
_DB = {"db": _SEARCH["db"]}
# A page is there for people: it is English in a language that it doesn't know.
_LANG = {"lang": {"type": "string", "description": "zh for Chinese; English else.", "examples": ["en", "zh"]}}
_SEGMENT: Schema = {
    "type": "string",
    "minLength": 1,
    "pattern": r"^[^/]+$",
    "description": "Percent-encoded. ~2E is a dot that would begin .json or .md or stands in a segment of dots alone, "
    "~2F a slash beside nothing, ~7E a tilde.",
}
_SEGMENTS = {"domain": _SEGMENT, "slug": _SEGMENT, "environment": _SEGMENT}
_STATUS = {
    "302": "The reader prefers Chinese.",
    "303": "The search has an address.",
    "304": "What the client has (If-None-Match) still holds.",
    "400": "A value is wrong.",
    "403": "Datasette's permissions say no.",
    "404": "There is no such entry, or no such database.",
    "405": "This method isn't allowed here; Allow says which are.",
    "413": f"The body is longer than {MOST_BODY} bytes.",
    "415": "The body is of a type that isn't understood.",
    "500": "The database can't be used as it is; the error says why.",
    "503": "The database can't be read at the moment.",
}
_ALWAYS = ("304", "403", "404", "405", "500", "503")


@view("GET", api=True)
async def openapi_json(datasette: Any, request: Any) -> Any:
    """The description, with this site's base address."""
    return answer_json(describe(options(datasette), str(datasette.urls.instance()).rstrip("/") or "/"))


def describe(settings: Any, base: str) -> Schema:
    """The OpenAPI document of a site with these settings."""
    (answer,), components = msgspec.json.schema_components([Answer], ref_template="#/components/schemas/{name}")
    schemas = {**components, "Entry": _part(dialects.FLAT), "Error": _ERROR}
    schemas["Result"]["properties"]["score"] = _SCORE
    # Left out unless it was asked for, which HTTP doesn't offer.
    schemas["Result"]["properties"].pop("explain", None)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Culdesac",
            "version": __version__,
            "description": "Known errors: the workarounds that work and the dead ends that don't. "
            "Rates and counts are the claims of the entries' authors.",
        },
        "servers": [{"url": base}],
        "paths": _paths(settings, answer),
        "components": {"schemas": schemas},
    }


def _paths(settings: Any, answer: Schema) -> Schema:
    html, markdown = {"text/html": _TEXT}, {"text/markdown": _TEXT}
    entry = {"application/json": {"$ref": "#/components/schemas/Entry"}}
    json_object = {"application/json": {"type": "object"}}
    search = _operation("Search for errors", {"application/json": answer}, _SEARCH, codes=("400",))
    posted = _operation("Search for errors", {"application/json": answer}, {}, codes=("400", "413", "415"))
    posted["requestBody"] = {"content": _bodies()}
    form = _operation("A long search, or the way to its address", html, {}, codes=("303", "400", "413", "415"))
    form["requestBody"] = {"content": {"application/x-www-form-urlencoded": {"schema": _of_fields(_filters())}}}
    paths: Schema = {
        "/": {"get": _operation("Front page", html, {**_LANG, **_DB}, codes=("302",))},
        "/search": {"get": _operation("Results page", html, _filters(), codes=("400",)), "post": form},
        "/search.json": {"get": search, "post": posted},
        "/overview": {"get": _operation("Figures and charts", html, {**_LANG, **_DB})},
        "/overview.json": {"get": _operation("Figures", json_object, _DB)},
    }
    for path in ("/entry/{domain}/{slug}", "/entry/{domain}/{slug}/{environment}"):
        names = [name for name in _SEGMENTS if f"{{{name}}}" in path]
        paths[path] = {"get": _operation("An entry's page", html, {**_LANG, **_DB}, names)}
        paths[f"{path}.json"] = {"get": _operation("An entry in the flat dialect", entry, _DB, names)}
        paths[f"{path}.md"] = {"get": _operation("An entry as Markdown", markdown, {**_LANG, **_DB}, names)}
    dialect = {"dialect": {"enum": ["own", "flat", ""], "description": "Each entry as it came, or all as flat."}}
    page = {"page": {"type": "integer", "minimum": 1, "maximum": 99_999, "description": "Part of a long map."}}
    switched = {
        "dump": ("/entries.ndjson", "Every entry, a line each", {"application/x-ndjson": _TEXT}, {**dialect, **_DB}),
        "feed": ("/feed.atom", "The newest entries", {"application/atom+xml": _TEXT}, {**_LANG, **_DB}),
        "llms": ("/llms.txt", "For language models", markdown, _DB),
        "robots": ("/robots.txt", "For robots", {"text/plain": _TEXT}, {}),
        "sitemap": ("/sitemap.xml", "Every page's address", {"application/xml": _TEXT}, {**page, **_DB}),
        "openapi": ("/openapi.json", "This description", json_object, {}),
    }
    for name, (path, summary, content, parameters) in switched.items():
        if getattr(settings, name):
            paths[path] = {"get": _operation(summary, content, parameters, codes=("400",))}
    return paths


def _operation(
    summary: str,
    content: Mapping[str, Schema],
    parameters: Mapping[str, Schema],
    segments: Sequence[str] = (),
    codes: Sequence[str] = (),
) -> Schema:
    is_page = "text/html" in content
    error: Schema = {"text/html": {}} if is_page else {"application/json": {"schema": {"$ref": _ref("Error")}}}
    if "text/markdown" in content and segments:
        error = {"text/html": {}}
    responses: Schema = {
        "200": {"description": summary, "content": {kind: {"schema": schema} for kind, schema in content.items()}}
    }
    for code in sorted({*_ALWAYS, *codes}):
        responses[code] = {"description": _STATUS[code]} | ({"content": error} if code >= "400" else {})
    return {
        "summary": summary,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": _SEGMENTS[name]} for name in segments),
            *(
                {"name": name, "in": "query", "description": schema.get("description", ""), "schema": schema}
                for name, schema in parameters.items()
            ),
        ],
        "responses": responses,
    }


def _filters() -> dict[str, Schema]:
    """The parameters of the results page."""
    page = {"type": "integer", "minimum": 1, "description": "Page of the results, from 1."}
    size = {"type": "integer", "minimum": 1, "description": "Results on a page."}
    search = {name: schema for name, schema in _SEARCH.items() if name not in ("n", "lang", "db")}
    return {**search, **_LANG, **_DB, "n": size, "page": page}


def _bodies() -> Schema:
    """JSON may say null for what it doesn't want; the text of a log alone is a search, too."""
    nullable = {name: _nullable(schema) for name, schema in _SEARCH.items()}
    return {
        "application/json": {"schema": _of_fields(nullable)},
        "application/x-www-form-urlencoded": {"schema": _of_fields(_SEARCH)},
        "text/plain": {"schema": _TEXT},
    }


def _of_fields(fields: Mapping[str, Schema]) -> Schema:
    """A body of fields: an empty one asks for nothing, any other holds one of them at least."""
    return {
        "type": "object",
        "properties": dict(fields),
        "anyOf": [{"maxProperties": 0}, *({"required": [name]} for name in fields)],
    }


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}


def _ref(name: str) -> str:
    return f"#/components/schemas/{name}"


def _part(part: dialects.Part) -> Schema:
    """The schema of a part of the flat dialect; fields that the model doesn't know come back, too."""
    match part:
        case dialects.Text():
            return {"type": ["string", "null"]}
        case dialects.Number(real=real):
            return {"type": ["number" if real else "integer", "null"]}
        case dialects.Strings() | dialects.Aligned():
            return {"type": ["array", "null"], "items": {"type": ["string", "null"]}}
        case dialects.Items(parts=parts, bare=bare):
            item: Schema = {"type": "object", "properties": {part.key: _part(part) for part in parts}}
            return {"type": ["array", "null"], "items": {"anyOf": [item, _TEXT]} if bare else item}
        case dialects.Group(parts=parts, key=key):
            found: Schema = {"properties": {part.key: _part(part) for part in parts}}
            return {**found, "type": ["object", "null"]} if key else {**found, "type": "object", "required": ["id"]}
        case _:
            return {"type": ["object", "null"]}
