"""The Markdown page of an entry: for a person, for a language model, and to be read back (`culdesac.ingest.page`).

What a field says can't change the page: prose is escaped, as little as Markdown allows so that it stays readable, and
whatever is more than a line stands in a fence that is longer than any inside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from culdesac.db.messages import Lang
from culdesac.queries.page_model import Line, Part, Step, Value, lay_out


def markdown(
    document: Mapping[str, Any],
    *,
    lang: Lang = "en",
    problems: Sequence[Mapping[str, Any]] = (),
    variants: Sequence[str] = (),
) -> str:
    """Write the entry page of a flat document, with labels in English or Chinese.

    It shows every field but unknown ones. `culdesac.ingest.page.read_page` gives the document back; only null, "",
    [], {} and absent are the same on a page, and control characters other than tab and newline may be lost.
    `problems` (code, severity, field, message) and `variants` (entry ids) are shown and not read back.
    """
    page = lay_out(document, lang, problems, variants)
    blocks = [f"# {prose(page.title)}", _list(page.lines, lang)]
    for part in page.parts:
        blocks.extend(_part(part, lang))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _part(part: Part, lang: Lang) -> Iterator[str]:
    yield f"{'#' * part.level} {prose(part.title)}"
    if part.prose:
        yield _value(part.prose)
    yield _list(part.lines, lang)
    if part.header:
        yield "\n".join(_table(part))
    marks = (f"{number}." for number in range(1, len(part.items) + 1)) if part.ordered else ("-" for _ in part.items)
    yield "\n".join(_item(mark, item) for mark, item in zip(marks, part.items, strict=True))
    for step in () if part.header else part.steps:
        yield from _step(step, part.level + 1, lang)


def _step(step: Step, level: int, lang: Lang) -> Iterator[str]:
    yield f"{'#' * level} {prose(step.title)}"
    if step.block:
        yield _value(step.block)
    yield _list(step.lines, lang)


def _list(lines: Sequence[Line], lang: Lang) -> str:
    return "\n".join(_line(line, "：" if lang == "zh" else ":") for line in lines)


def _line(line: Line, colon: str) -> str:
    label = f"- **{prose(line.label, spans=False)}{colon}**"
    if line.many:
        return "\n".join([label, *(_item("  -", value) for value in line.values)])
    (value,) = line.values
    return f"{label}\n\n{_fence(value.text, 2)}" if value.form == "block" else f"{label} {_value(value)}"


def _item(mark: str, value: Value) -> str:
    if value.form == "block":
        return f"{mark} {_fence(value.text, len(mark) + 1).lstrip(' ')}"
    return f"{mark} {_value(value)}".rstrip(" ")


def _table(part: Part) -> Iterator[str]:
    yield _row(prose(cell) for cell in part.header)
    yield _row("---" for _ in part.header)
    for row in part.rows:
        yield _row(_cell(value) for value in row)


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Value) -> str:
    """A table is cut at pipes before anything else is looked at, even inside of code."""
    if value.form == "code" and not set(value.text) & set("|`\\"):
        return _code(value.text)
    shown = prose(value.text, spans=False)
    # A pipe at the beginning is escaped already.
    shown = shown[1:] if value.text.startswith("|") else shown
    return shown.replace("|", r"\|")


def _value(value: Value) -> str:
    match value.form:
        case "code":
            return _code(value.text)
        case "link":
            return f"<{value.text}>"
        case "block":
            return _fence(value.text)
        case "prose":
            return prose(value.text)


def _runs(text: str) -> list[str]:
    return re.findall("`+", text)


def _code(text: str) -> str:
    """A line as code, between more backticks than it has in a row."""
    ticks = "`" * (max(map(len, _runs(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _fence(text: str, indent: int = 0) -> str:
    """Lines as they are, between more backticks than they have in a row."""
    ticks = "`" * max(3, max(map(len, _runs(text)), default=0) + 1)
    lines = [f"{ticks}text", *text.split("\n"), ticks]
    return "\n".join(" " * indent + line if line else "" for line in lines)


# What would start a block (heading, list, quote, rule, table) at the beginning of a line.
_START = re.compile(r"#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=|-{2,}|\||\[|:|[0-9]{1,9}(?=[.)](?:\s|$))")
# What would be markup anywhere in one, and a backslash that would escape what follows it.
_INLINE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|[*~]|<(?=[A-Za-z/!?])|&(?=#?[0-9A-Za-z]{1,40};)|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])|(?<=\s)#+$"
)


def prose(text: str, *, spans: bool = True) -> str:
    """Escape a line for Markdown. Code in single backticks stays code (unless `spans` is false)."""
    runs = _runs(text)
    keep = spans and len(runs) % 2 == 0 and all(len(run) == 1 for run in runs)
    if text.startswith("`") and text.endswith("`"):
        # The reader would take it for a value that is code as a whole.
        keep = False
    pieces = text.split("`")
    # Every other piece is inside of backticks; a piece that is followed by one must not end in a lone backslash.
    escaped = [piece if keep and at % 2 else _INLINE.sub(r"\\\g<0>", piece) for at, piece in enumerate(pieces)]
    line = ("`" if keep else r"\`").join(escaped)
    start = _START.match(line)
    if not start:
        return line
    end = start.end() if start[0].isdigit() else 0
    return f"{line[:end]}\\{line[end:]}"
