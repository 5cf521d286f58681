"""Help as click shows it, in the language that is spoken: the texts in the source are English."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Iterable

import click

from culdesac.db.messages import _, noted
from culdesac.width import left, width, wrap

Say = Callable[[str], str]
#: What click calls a value in a complaint, by its own name for it. Names of values in help stay as they are.
_KINDS = {"integer range": noted("integer")}
_COMMENT = re.compile(r"(?<=\S)( {2,})(\S.*)$", re.M)


def told(command: click.Command, say: Say = _) -> click.Command:
    """A copy of a command whose help, options' help and usage line went through `say`."""
    found = copy.copy(command)
    found.context_class = _Context
    found.options_metavar = say(noted("[OPTIONS]"))
    if isinstance(found, click.Group):
        found.subcommand_metavar = say(noted("COMMAND [ARGS]..."))
    if command.help:
        found.help = "\n\n".join(_paragraph(text, say) for text in inspect.cleandoc(command.help).split("\n\n"))
        # click ends the short help at the first full stop, and knows but one kind of it.
        first, stop, _rest = found.help.partition("\n\n")[0].partition("。")
        found.short_help = first + stop if stop else None
    found.params = [_parameter(parameter, say) for parameter in command.params]
    return found


def _paragraph(text: str, say: Say) -> str:
    """Of an example (a paragraph that click leaves as it is) only what stands to the right of a command is prose."""
    if text.startswith("\b"):
        return _COMMENT.sub(lambda found: found[1] + say(found[2]), text)
    return say(" ".join(text.split()))


def _parameter(parameter: click.Parameter, say: Say) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    found = copy.copy(parameter)
    found.help = say(inspect.cleandoc(parameter.help))
    if kind := _KINDS.get(parameter.type.name):
        found.metavar = parameter.metavar or kind.upper()
        found.type = copy.copy(parameter.type)
        found.type.name = say(kind)
    return found


class _Formatter(click.HelpFormatter):
    """Help whose lines and columns are measured as a terminal shows them."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        super().write_usage(prog, args, _("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(" " * self.current_indent + _("{heading}:").format(heading=heading) + "\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, wrapped; one that begins with a backspace stays as it is."""
        indent = " " * self.current_indent
        paragraphs = []
        for paragraph in text.split("\n\n"):
            kept = paragraph.startswith("\b")
            lines = paragraph.split("\n")[1:] if kept else wrap(paragraph, self.width - len(indent))
            paragraphs.append("\n".join(indent + line for line in lines))
        self.write("\n\n".join(paragraphs) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms and what they mean, in two columns."""
        found = list(rows)
        first = min(max(width(term) for term, _meaning in found), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, meaning in found:
            lines = wrap(meaning, max(self.width - first - 2, 10)) if meaning else []
            if lines and width(term) <= first - col_spacing:
                term = left(term, first) + lines.pop(0)
            self.write("\n".join([indent + term, *(indent + " " * first + line for line in lines)]) + "\n")


class _Context(click.Context):
    formatter_class = _Formatter
