"""`/overview`: what the file holds, in pictures; `/overview.json`: the numbers they are drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from datasette.utils.asgi import Response

from culdesac.db.codes import described
from culdesac.db.messages import Lang, translations
from culdesac.plugins.web import charts, files
from culdesac.plugins.web.access import chosen
from culdesac.plugins.web.charts import Bar, Chart
from culdesac.plugins.web.exchange import Asked, in_thread
from culdesac.plugins.web.labels import language
from culdesac.plugins.web.links import entry_path
from culdesac.plugins.web.metadata import counts
from culdesac.plugins.web.pool import Pool, pool
from culdesac.plugins.web.respond import answer_json, page, view

Figures = dict[str, list[dict[str, Any]]]
#: The figures and the columns of each: `overview_<name>.sql` gives them in this order.
FIGURES: dict[str, tuple[str, ...]] = {
    "domains": ("domain", "entries", "errors"),
    "fix_rates": ("tenth", "entries"),
    "fail_rates": ("tenth", "dead_ends"),
    "evidence": ("at_least", "entries"),
    "age": ("month", "entries"),
    "hubs": ("id", "signature", "signature_zh", "links"),
    "problems": ("code", "severity", "problems", "entries"),
}
#: Domains that a chart shows; all are in the numbers.
_DOMAINS = 20
_EVIDENCE = (0, 1, 4, 10, 30, 100)


@view("GET", api=True)
async def overview_json(datasette: Any, request: Any) -> Response:
    """The numbers of all charts, with the whole of the counts."""
    database = await chosen(datasette, request, request.args.get("db"))
    return answer_json(await _figures(datasette, database.path))


@view("GET")
async def overview(datasette: Any, request: Any) -> Response:
    """The page."""
    database = await chosen(datasette, request, request.args.get("db"))
    lang = language(request.args.get("lang"))
    figures = await _figures(datasette, database.path)
    asked = Asked(lang=lang if lang == "zh" else None, db=request.args.get("db"))
    path = str(datasette.urls.path("/overview"))
    context = {
        "database": database.name,
        "counts": figures["counts"],
        "charts": _charts(datasette, database.name, figures, asked),
        "picture": {"width": charts.WIDTH, "height": charts.HEIGHT},
        "first": _DOMAINS,
        "as_json": Asked(db=asked.db).address(f"{path}.json"),
        "other_language": asked.address(path, lang=None if lang == "zh" else "zh"),
    }
    return await page(datasette, request, "overview.html", context, lang)


async def _figures(datasette: Any, path: str) -> dict[str, Any]:
    stamp = files.stamp(path)
    figures = await in_thread(datasette, lambda: _read(pool(datasette), path, stamp))
    return {"counts": counts(files.about(path)), **figures}


@lru_cache(maxsize=16)
def _read(engines: Pool, path: str, _: files.Stamp | None) -> Figures:
    """The figures of a file: counted once, for a large one takes a while."""
    with engines.engine(path) as engine:
        found = {name: [dict(zip(columns, row, strict=True)) for row in engine.figures(name)]
                 for name, columns in FIGURES.items()}  # fmt: skip
    for name, steps in (("fix_rates", range(10)), ("fail_rates", range(10)), ("evidence", _EVIDENCE)):
        found[name] = _filled(found[name], FIGURES[name], steps)
    found["age"].reverse()
    return found


def _filled(rows: list[dict[str, Any]], columns: tuple[str, ...], steps: Any) -> list[dict[str, Any]]:
    """A row for every step, those without any included; tenths become the rates from which they begin."""
    key, value = columns
    counted = {row[key]: row[value] for row in rows}
    if key == "tenth":
        return [{"from": step / 10, "to": (step + 1) / 10, value: counted.get(step, 0)} for step in steps]
    return [{key: step, value: counted.get(step, 0)} for step in steps]


def _charts(datasette: Any, database: str, figures: Mapping[str, Any], asked: Asked) -> list[Chart]:
    chinese = asked.lang == "zh"
    lang: Lang = "zh" if chinese else "en"
    _ = translations(lang).gettext
    problems, search = str(datasette.urls.table(database, "problems")), str(datasette.urls.path("/search"))

    def rates(name: str, value: str) -> list[Bar]:
        return [Bar(f"{row['from'] * 100:.0f}–{row['to'] * 100:.0f}%", row[value]) for row in figures[name]]

    def from_hub(row: Mapping[str, Any]) -> Bar:
        title = (row["signature_zh"] if chinese else None) or row["signature"]
        return Bar(title, row["links"], asked.address(entry_path(datasette, row["id"])), row["id"])

    def listed(domain: str) -> str | None:
        return asked.address(search, domain=domain) if domain else None

    by_domain = (Bar(row["domain"] or "—", row["entries"], listed(row["domain"])) for row in figures["domains"])
    by_code = (
        Bar(
            row["code"],
            row["problems"],
            f"{problems}?code__exact={quote(row['code'], safe='')}",
            described(row["code"], row["severity"], lang),
        )
        for row in figures["problems"]
    )
    fix_rates, fail_rates = rates("fix_rates", "entries"), rates("fail_rates", "dead_ends")
    evidence = (Bar(_evidence(row["at_least"]), row["entries"]) for row in figures["evidence"])
    months = (Bar(row["month"], row["entries"]) for row in figures["age"])
    hubs = map(from_hub, figures["hubs"])
    counted = _("entries")
    hub_title = _("Hubs of the graph: what most others lead to or are confused with")
    return [
        charts.bars("domains", _("Entries by domain"), _("Domain"), counted, by_domain),
        charts.columns("fix_rates", _("How often a fix succeeds"), _("Rate"), counted, fix_rates, most_labels=5),
        charts.columns("fail_rates", _("How often a dead end fails"), _("Rate"), _("dead ends"), fail_rates, 5),
        charts.columns("evidence", _("Reports behind an entry"), _("Reports"), counted, evidence),
        charts.columns("age", _("When entries were last confirmed"), _("Month"), counted, months, most_labels=6),
        charts.bars("hubs", hub_title, _("Error"), _("links"), hubs),
        charts.bars("problems", _("Problems of the data"), _("Code"), _("times"), by_code),
    ]


def _evidence(at_least: int) -> str:
    """A step in words: "1–3", or "100+" for the last."""
    above = next((step for step in _EVIDENCE if step > at_least), None)
    if above is None:
        return f"{at_least}+"
    return str(at_least) if above == at_least + 1 else f"{at_least}–{above - 1}"
