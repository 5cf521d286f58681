"""The command line: which command is meant. Each command's module is loaded only when it is the one.

`culdesac "some error"` means search, and so does piped input with no arguments: at 3 a.m. nobody remembers a verb.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NoReturn

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


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with the command's code; 2 for wrong usage and whatever can't be done.

    A reader that closes its end of a pipe has had enough, which is no failure; a full disk behind it is one.
    """
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
        _discard_output()
    except OSError as error:
        click.echo(f"Error: the output can't be written: {error.strerror or error}", err=True)
        code = 2
        _discard_output()
    sys.exit(code)


def _run(arguments: list[str] | None) -> int:
    output = sys.stdout
    try:
        returned = cli.main(args=arguments, prog_name="culdesac", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ValueError as error:
        from culdesac.db.file import FileError

        if not isinstance(error, FileError):
            raise
        click.echo(f"Error: {error}", err=True)
        return 2
    except click.Abort:
        click.echo("Aborted!", err=True)
        return 130
    except SystemExit as error:
        if sys.stdout is not output:  # click replaces it when its reader has gone
            return 0
        return error.code if isinstance(error.code, int) else 0
    return returned if isinstance(returned, int) else 0


def _discard_output() -> None:
    """What is still buffered can't be written: the interpreter shall not try again when it ends."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
