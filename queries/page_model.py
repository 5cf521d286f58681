"""What an entry page shows, and in which form: the document laid out, before it is Markdown or HTML.

A text becomes prose only where every surface gives it back as it is, one line without odd blanks; any other stands in
a block of its own, which keeps each character.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from culdesac.db.codes import explained, severity
from culdesac.db.messages import Lang, noted, translations
from culdesac.db.page_layout import (
    FIELD_KEYS,
    HEAD,
    NOTHING,
    NOTHINGS,
    RATES,
    SECTION_KEYS,
    SECTIONS,
    STEP_TITLES,
    Field,
    Section,
    flat,
    label_key,
    plain,
    same_step,
    show_number,
    show_path,
    show_rate,
    show_value,
    split_label,
)
from culdesac.db.text import has_chinese

_LINK = re.compile(r"https?://[^\s<>\"\\]+")


@dataclass(frozen=True, slots=True)
class Value:
    """A text of the page. `prose`, `code` and `link` are one line; a `block` keeps lines and blanks."""

    text: str
    form: Literal["prose", "code", "link", "block"] = "prose"


@dataclass(frozen=True, slots=True)
class Line:
    """A label with its value, or with a list of them."""

    key: str
    label: str
    values: tuple[Value, ...]
    many: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A workaround, a dead end, or a row of a table by itself. `block` stands right under the heading.

    `name`, `action` and `rate` are what the title says beside its number, for a page that shows them apart.
    """

    title: str
    block: Value | None
    lines: tuple[Line, ...]
    name: str = ""
    action: str = ""
    rate: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page; what it doesn't have is empty. Where it has rows, `steps` are the same one by one."""

    key: str
    title: str
    level: int
    chinese: bool = False
    prose: Value | None = None
    lines: tuple[Line, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[Value, ...], ...] = ()
    items: tuple[Value, ...] = ()
    ordered: bool = False
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """An entry page."""

    title: str
    lang: Lang
    lines: tuple[Line, ...]
    parts: tuple[Part, ...]


def lay_out(
    document: Mapping[str, Any],
    lang: Lang = "en",
    problems: Sequence[Mapping[str, Any]] = (),
    variants: Sequence[str] = (),
) -> Page:
    """Lay out a flat document. `problems` and `variants` are shown too, but don't belong to the document."""
    note = _language_note(document) if lang == "zh" else None
    document = _chinese_first(document) if lang == "zh" else document
    signature = document.get("signature") or ""
    head = {key: value for key, value in document.items() if key != "signature" or not plain(signature)}
    extra = {
        "language": [_value(translations(lang).gettext(note))] if note else [],
        "variants": [Value(entry, "code") if plain(entry) else _value(entry) for entry in variants],
        "problems": [_problem(problem, lang) for problem in problems],
    }
    parts = [part for section in _ORDER[lang] if (part := _part(section, document, lang, extra))]
    filled = {part.key for part in parts} & set(_PARENTS)
    groups = {_PARENTS[key] for key in filled}
    return Page(
        title=flat(signature) or flat(document.get("id") or "") or NOTHING,
        lang=lang,
        lines=_lines(head, HEAD, lang),
        parts=tuple(part for part in parts if part.key not in _GROUPS or part.key in groups),
    )


def _language_note(document: Mapping[str, Any]) -> str | None:
    """What a Chinese page says once, of an entry or of texts in it that have no Chinese."""
    named = [document.get(key) for key in ("signature", "signature_zh", "root_cause", "root_cause_zh")]
    steps, translated = document.get("workarounds") or [], document.get("workarounds_zh") or []
    if not has_chinese(*named, *translated):
        return noted("No Chinese text; shown in English.")
    texts = [(document.get("root_cause"), document.get("root_cause_zh"))]
    texts += zip_longest((step.get("action") or step.get("how") for step in steps), translated)
    texts += [(end.get("action"), end.get("why_fails")) for end in document.get("dead_ends") or ()]
    untold = any(any(pair) and not has_chinese(*pair) for pair in texts)
    return noted("What has no Chinese is shown in English.") if untold else None


def _chinese_first(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A document as a Chinese page shows it: the Chinese of a text in its place, what it was made from under it.

    `culdesac.ingest.page` undoes it. Chinese steps that aren't one for each workaround stay a list of their own.
    """
    shown = dict(document)
    if document.get("root_cause") and document.get("root_cause_zh"):
        original, chinese = document["root_cause"], document["root_cause_zh"]
        shown |= {"root_cause": chinese, "root_cause_zh": None, "root_cause_original": original}
    steps, translated = document.get("workarounds") or [], document.get("workarounds_zh") or []
    if any(translated) and len(steps) == len(translated):
        shown["workarounds"] = [_with_chinese(step, text) for step, text in zip(steps, translated, strict=True)]
        shown["workarounds_zh"] = []
    return shown


def _with_chinese(step: Mapping[str, Any], text: str) -> Mapping[str, Any]:
    how = step.get("how")
    if not text:
        return step
    if not how or step.get("action") != how:
        return {**step, "text_zh": text}
    return {**step, "action": None, "how": None, "text_zh": text, "original": how}


_BY_KEY = {section.key: section for section in SECTIONS}
#: In which order a page has its sections: one in Chinese has the Chinese steps before the others.
_ORDER: dict[Lang, Sequence[Section]] = {
    "en": SECTIONS,
    "zh": [
        _BY_KEY[{"workarounds": "workarounds_zh", "workarounds_zh": "workarounds"}.get(section.key, section.key)]
        for section in SECTIONS
    ],
}
_GROUPS = {section.key for section in SECTIONS if section.form == "group"}
_PARENTS = {section.key: section.parent for section in SECTIONS if section.parent in _GROUPS}


def _part(
    section: Section, document: Mapping[str, Any], lang: Lang, extra: Mapping[str, Sequence[Value]]
) -> Part | None:
    """One section, or None when the document has nothing for it."""
    value: Any = document
    for key in section.place:
        value = value.get(key) if isinstance(value, Mapping) else None
    content: dict[str, Any] = {}
    match section.form:
        case "prose":
            prose = _prose(section, value) if value else None
            content = {"prose": prose, "lines": _lines(document, section.fields, lang)}
        case "facts":
            content = {"lines": _lines(document, section.fields, lang)}
        case "table":
            content = _table(section, [_edge(row) for row in value or ()], lang)
        case "steps":
            ranked = sorted(enumerate(value or (), 1), key=lambda numbered: -_rate(section, numbered[1]))
            content = {"steps": tuple(_step(section, number, row, lang) for number, row in ranked)}
        case "list":
            block = section.chinese
            content = {"items": tuple(Value(text, "block") if block else _value(text) for text in value or ())}
        case "map":
            content = {"lines": tuple(_leaves(value or {}))}
        case "notes":
            content = {"items": tuple(extra[section.key])}
        case "group":
            content = {"steps": None}
    if not any(content.values()) and section.form != "group":
        return None
    content = {name: given for name, given in content.items() if given is not None}
    level = 3 if section.parent else 2
    return Part(section.key, section.label.text(lang), level, section.chinese, ordered=section.chinese, **content)


def _present(value: Any) -> bool:
    """Whether a page shows the value: null, nothing and absent are one, and no page says "not a number"."""
    return value not in (None, "", [], {}) and not (isinstance(value, float) and not math.isfinite(value))


def _value(text: str, kind: str = "text") -> Value:
    if kind == "link" and _LINK.fullmatch(text):
        return Value(text, "link")
    if text and not plain(text):
        return Value(text, "block")
    return Value(text, "code" if kind == "code" else "prose")


def _scalar(field: Field, value: Any) -> Value:
    if field.kind == "rate":
        return Value(show_rate(value))
    if field.kind == "number":
        return Value(show_number(value))
    return _value(value, field.kind)


def _lines(item: Mapping[str, Any], fields: Sequence[Field], lang: Lang) -> tuple[Line, ...]:
    lines: list[Line] = []
    for field in fields:
        value = item.get(field.key)
        if _present(value):
            many = field.kind == "links"
            values = tuple(_value(text, "link") for text in value or ()) if many else (_scalar(field, value),)
            lines.append(Line(field.key, field.label.text(lang), values, many))
    return tuple(lines)


def _prose(section: Section, text: str) -> Value:
    """A text that stands alone under its heading: in a block, too, when it could be taken for a heading or a label."""
    structural = label_key(text) in SECTION_KEYS or split_label(text, FIELD_KEYS[section.key])
    return Value(text, "block") if structural else _value(text)


def _edge(row: Any) -> Mapping[str, Any]:
    """A row of a table; an edge can be the bare id of the error it leads to."""
    return {"error_id": row} if isinstance(row, str) else row


def _table(section: Section, rows: Sequence[Mapping[str, Any]], lang: Lang) -> dict[str, Any]:
    """The rows as a table when each cell is one line, else one by one."""
    fields = section.fields
    used = {field.key for field in fields if any(_present(row.get(field.key)) for row in rows)}
    columns = [field for field in fields if field.key in used or field is fields[0]]
    cells = [[_cell(field, row.get(field.key)) for field in columns] for row in rows]
    assert section.item
    steps = tuple(
        Step(STEP_TITLES[lang][0].format(section.item.text(lang), number), None, _lines(row, fields, lang))
        for number, row in enumerate(rows, 1)
    )
    if not all(cell for row in cells for cell in row):
        return {"steps": steps}
    header = tuple(field.label.text(lang) for field in columns) if rows else ()
    return {"header": header, "rows": tuple(tuple(cell for cell in row if cell) for row in cells), "steps": steps}


def _cell(field: Field, value: Any) -> Value | None:
    """A cell; None when a table can't hold the value."""
    if not _present(value):
        return Value(NOTHING)
    shown = _scalar(field, value)
    return None if shown.form == "block" or shown.text in NOTHINGS else shown


def _rate(section: Section, item: Any) -> float:
    """By what steps are ranked: the claimed rate; without one, behind all that have one."""
    rate = item.get(RATES[section.key][0]) if isinstance(item, Mapping) else None
    return float(rate) if isinstance(rate, int | float) and math.isfinite(rate) else -1.0


def _step(section: Section, number: int, item: Mapping[str, Any], lang: Lang) -> Step:
    """A workaround or a dead end: number, rate and action make the heading when the action is one line."""
    assert section.item
    rate_key, wording = RATES[section.key]
    numbered, rated, named = STEP_TITLES[lang]
    name = section.item.text(lang)
    title = numbered.format(name, number)
    rate, action, how = item.get(rate_key), item.get("action") or "", item.get("how") or ""
    told = wording.text(lang).format(rate=show_rate(rate or 0)) if _present(rate) else ""
    title += rated.format(told) if told else ""
    shown = {rate_key}
    block = None
    heading = ""
    if how and action == how:
        block = Value(how, "block")
        shown |= {"action", "how"}
    elif plain(action) and not item.get("text_zh"):
        heading = action
        title += named.format(action)
        shown.add("action")
        # Right under the heading it would be read as the full text of it.
        if how and not same_step(action, how):
            block = Value(how, "block")
            shown.add("how")
    fields = tuple(field for field in section.fields if field.key not in shown)
    return Step(title, block, tuple(_how(line) for line in _lines(item, fields, lang)), name, heading, told)


def _how(line: Line) -> Line:
    """Steps are always a block: they are there to be copied."""
    if line.key not in ("how", "text_zh", "original"):
        return line
    return Line(line.key, line.label, (Value(line.values[0].text, "block"),))


def _leaves(value: Mapping[str, Any]) -> Iterator[Line]:
    """Every single value of an object with free keys, by its path. A stack, since strangers nest deeply."""
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while stack:
        path, inner = stack.pop()
        if isinstance(inner, Mapping) and (inner or not path):
            members = [(key, member) for key, member in inner.items() if path or _present(member)]
            stack.extend(((*path, key), member) for key, member in reversed(members))
        elif isinstance(inner, list) and inner:
            stack.extend(((*path, at), inner[at]) for at in reversed(range(len(inner))))
        else:
            label = show_path(path)
            block = isinstance(inner, str) and inner != "" and not plain(inner)
            yield Line(label, label, (Value(inner, "block") if block else Value(show_value(inner)),))


def _problem(problem: Mapping[str, Any], lang: Lang) -> Value:
    code, field = str(problem.get("code")), problem.get("field")
    place = translations(lang).gettext("{code} ({field})").format(code=code, field=field) if field else code
    grave = severity(str(problem.get("severity")), lang)
    message = explained(code, str(problem.get("message")), lang)
    line = translations(lang).gettext("{severity}: {place}: {message}")
    return _value(line.format(severity=grave, place=place, message=message))
