"""Search results as a person reads them on a terminal, in the language that is spoken.

Entries' text is data: its control characters are shown, not obeyed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from typing import Any

import click

from culdesac.db.messages import VERDICTS, _, spoken
from culdesac.db.text import has_chinese
from culdesac.queries.answer import Answer, Result
from culdesac.width import cut, right, width, wrap

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if code not in (0x09, 0x0A)}
#: Where the text of a step begins, after its rate.
_TEXT = 10


def safe(text: str | None) -> str:
    """Text with control characters spelled out, so that an entry can't drive the reader's terminal."""
    return (text or "").translate(_CONTROL)


def answer_text(answer: Answer) -> str:
    """The whole answer: the first result in full when it is sure, the others a line each."""
    if not answer.results:
        return _("Nothing known fits.") + "\n"
    lines: list[str] = []
    if answer.confident:
        first, *rest = answer.results
        lines += _full(first)
        if rest:
            lines += ["", click.style(_("also"), dim=True)]
    else:
        rest = list(answer.results)
        lines += broken(_("Nothing known fits. The nearest:"), bold=True)
    lines += [line for result in rest for line in _short(result)]
    lines += [line for result in answer.results if result.explain for line in _explained(result)]
    return "\n".join(lines) + "\n"


def _explained(result: Result) -> Iterator[str]:
    yield ""
    yield click.style(result.id, fg="cyan")
    for name, value in (result.explain or {}).items():
        yield f"  {name:<10}{value:>9.3f}"


def percent(rate: float | None) -> str:
    """A rate of 0 to 1 in per cent."""
    return "" if rate is None else f"{rate * 100:.4g} %"


def fact(name: str, value: str) -> str:
    """A name and its value, with the language's own colon."""
    return _("{name}: {value}").format(name=name, value=value)


def claim(name: str, rate: float) -> str:
    """A rate and whose word it is."""
    return _("{name}: {rate} (as its author claims)").format(name=name, rate=percent(rate))


def verdict(resolvable: str) -> str:
    """What `resolvable` says; a value that isn't one of ours stays as it is."""
    known = VERDICTS.get(resolvable)
    return _(known) if known else fact(_("Resolvable"), safe(resolvable))


def heading(signature: str, signature_zh: str | None, below: str, *more: str | None) -> Iterator[str]:
    """The signature in the language that is spoken, a line below it, and a word where English stands for Chinese:
    where neither the signature nor any of `more` is in it."""
    chinese = spoken() == "zh"
    yield from broken((signature_zh if chinese else None) or signature, bold=True)
    # An id and what stands two blanks after it.
    for line in [below] if width(below) <= columns() else below.split("  "):
        yield click.style(safe(line), fg="cyan")
    if chinese and not has_chinese(signature, signature_zh, *more):
        yield from broken(_("No Chinese text; shown in English."), dim=True)


def titled(title: str, colour: str | None, texts: Iterable[str | None], signature_zh: str | None) -> str:
    """The title of a section, with a word where an entry that has Chinese has this part in English alone."""
    told = click.style(title, fg=colour, bold=True)
    if spoken() == "zh" and signature_zh and not has_chinese(*texts):
        told += click.style(_(" (no Chinese text)"), dim=True)
    return told


def _full(result: Result) -> Iterator[str]:
    yield from heading(result.signature, result.signature_zh, f"{result.id}  ({percent(round(result.score, 2))})")
    where = _("line {number}").format(number=result.why.line)
    yield from broken(fact(where, result.why.matched), dim=True)
    claims = [verdict(result.resolvable)] if result.resolvable else []
    if result.fix_success_rate is not None:
        claims.append(claim(_("fix rate"), result.fix_success_rate))
    if claims:
        yield from broken(" · ".join(claims))
    yield from _steps(result)
    yield ""
    yield from broken(_("More: {command}").format(command=f"culdesac show {result.id}"), whole=True, dim=True)


def _steps(result: Result) -> Iterator[str]:
    chinese = spoken() == "zh"
    if result.workarounds:
        yield ""
        yield titled(
            _("Do"),
            "green",
            [step.text_zh or step.action or step.how for step in result.workarounds],
            result.signature_zh,
        )
    for step in result.workarounds:
        text = (step.text_zh if chinese else None) or step.action or step.how
        yield from item(percent(step.success_rate), text)
        if step.how and step.how != step.action and not (chinese and step.text_zh):
            yield from indented(step.how)
    if result.dead_ends:
        yield ""
        yield titled(_("Don't"), "red", [end.action or end.why_fails for end in result.dead_ends], result.signature_zh)
    for end in result.dead_ends:
        yield from item(percent(end.fail_rate), end.action)
        if end.why_fails:
            yield from indented(end.why_fails)


def item(rate: str, text: str | None, *, whole: bool = False) -> Iterator[str]:
    """A step: its rate, then its text."""
    first, *more = indented(text or _("(no action given)"), _TEXT, whole=whole)
    yield f"  {right(rate, _TEXT - 4)}  {first.lstrip()}"
    yield from more


def columns() -> int:
    """How wide text is on this terminal: 100 columns at most, where it is easy to read, and 30 at least."""
    return max(30, min(shutil.get_terminal_size((100, 24)).columns, 100))


def indented(text: str, by: int = _TEXT, *, whole: bool = False) -> Iterator[str]:
    """Text under a step, wrapped to the terminal's width; `whole`: no word of it is cut (an id, a link)."""
    for line in safe(text).split("\n"):
        for part in wrap(line, columns() - by, whole=whole):
            yield (" " * by + part).rstrip()


def broken(text: str, *, whole: bool = False, **style: Any) -> Iterator[str]:
    """Text at the margin, wrapped to the terminal's width, each line in a style of click."""
    return (click.style(line, **style) for line in indented(text, 0, whole=whole))


def _short(result: Result) -> Iterator[str]:
    chinese = spoken() == "zh"
    signature = (result.signature_zh if chinese else None) or result.signature
    one_line = cut(" ".join(safe(signature).split()), 160)
    if chinese and not has_chinese(signature):
        one_line += _(" (no Chinese text)")
    first, *more = wrap(f"{percent(round(result.score, 2)):>5}  {result.id}", columns() - 2, whole=True)
    yield f"  {first}"
    yield from (f"  {line}" for line in more)  # the id has a line of its own where it doesn't fit
    yield from (click.style(line, dim=True) for line in indented(one_line, 9))
