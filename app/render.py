"""Search results as a person reads them on a terminal.

Entries' text is data: its control characters are shown, not obeyed.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator

import click

from culdesac.messages import say
from culdesac.queries.answer import Answer, Result

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if code not in (0x09, 0x0A)}


def safe(text: str | None) -> str:
    """Text with control characters spelled out, so that an entry can't drive the reader's terminal."""
    return (text or "").translate(_CONTROL)


def answer_text(answer: Answer, chinese: bool) -> str:
    """The whole answer: the first result in full when it is sure, the others a line each."""
    if not answer.results:
        return say("Nothing known fits.", chinese) + "\n"
    lines: list[str] = []
    if answer.confident:
        first, *rest = answer.results
        lines += _full(first, chinese)
        if rest:
            lines += ["", click.style(say("also", chinese), dim=True)]
    else:
        rest = list(answer.results)
        lines.append(click.style(say("Nothing known fits. The nearest:", chinese), bold=True))
    lines += [_short(result, chinese) for result in rest]
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


def _full(result: Result, chinese: bool) -> Iterator[str]:
    signature = (result.signature_zh if chinese else None) or result.signature
    yield click.style(safe(signature), bold=True)
    yield click.style(f"{result.id}  ({percent(round(result.score, 2))})", fg="cyan")
    if chinese and not result.signature_zh:
        yield click.style(say("No Chinese text; shown in English.", chinese), dim=True)
    where = f"第 {result.why.line} 行" if chinese else f"line {result.why.line}"
    yield click.style(f"{where}: {safe(result.why.matched)}", dim=True)
    if result.resolvable:
        verdict = f"{say('Resolvable', chinese)}: {say(result.resolvable, chinese)}"
        if result.fix_success_rate is not None:
            rate = percent(result.fix_success_rate)
            verdict += f" · {say('fix rate', chinese)} {rate} ({say('as its authors claim', chinese)})"
        yield verdict
    yield from _steps(result, chinese)
    yield ""
    yield click.style(f"{say('More: culdesac show', chinese)} {result.id}", dim=True)


def _steps(result: Result, chinese: bool) -> Iterator[str]:
    if result.workarounds:
        yield ""
        yield click.style(say("Do", chinese), fg="green", bold=True)
    for step in result.workarounds:
        text = (step.text_zh if chinese else None) or step.action or step.how
        yield from item(percent(step.success_rate), text, chinese)
        if step.how and step.how != step.action and not (chinese and step.text_zh):
            yield from indented(step.how)
    if result.dead_ends:
        yield ""
        yield click.style(say("Don't", chinese), fg="red", bold=True)
    for end in result.dead_ends:
        yield from item(percent(end.fail_rate), end.action, chinese)
        if end.why_fails:
            yield from indented(end.why_fails)


def item(rate: str, text: str | None, chinese: bool) -> Iterator[str]:
    """A step: its rate, then its text."""
    first, *more = safe(text or say("(no action given)", chinese)).split("\n")
    yield f"  {rate:>6}  {first}"
    for line in more:
        yield f"          {line}".rstrip()


def indented(text: str, by: int = 10) -> Iterator[str]:
    """Text under a step, wrapped to the terminal's width."""
    width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 100) - by)
    for line in safe(text).split("\n"):
        for part in textwrap.wrap(line, width, break_on_hyphens=False, replace_whitespace=False) or [""]:
            yield (" " * by + part).rstrip()


def _short(result: Result, chinese: bool) -> str:
    signature = (result.signature_zh if chinese else None) or result.signature
    one_line = " ".join(safe(signature).split())
    return f"  {percent(round(result.score, 2)):>5}  {result.id}\n         {click.style(one_line[:160], dim=True)}"
