"""The command line: which command is meant. Each command's module is loaded only when it is the one.

`culdesac "some error"` means search, and so does piped input with no arguments: at 3 a.m. nobody remembers a verb.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from culdesac import __version__

_COMMANDS = ("search", "show", "ingest", "check", "export", "stats", "remove", "serve", "evaluate", "completion")


class _Commands(click.Group):
    """A group whose commands are modules of culdesac.commands, and whose unknown words are a query."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"culdesac.commands.{name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"--version", "--help", "-h"}
        if not args and not _terminal():
            args = ["search", "-"]
        elif args and args[0] not in _COMMANDS and args[0] not in own:
            args = ["search", *args]
        return super().parse_args(ctx, args)


def _terminal() -> bool:
    return sys.stdin is None or sys.stdin.closed or sys.stdin.isatty()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(__version__, prog_name="culdesac")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Known errors, the workarounds that work and the dead ends that don't, in one SQLite file.

    \b
    culdesac "CUDA out of memory"         search; the verb can be left out
    make 2>&1 | culdesac                  search what a command printed
    culdesac ingest --sample              make a file from the sample that is shipped
    """
    if "NO_COLOR" in os.environ:
        ctx.color = False


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line. Exits with the command's exit code; 2 for wrong usage or anything that can't be done."""
    return cli.main(args=arguments, prog_name="culdesac")
