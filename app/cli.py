"""The command line: which command is meant. Each command's module is loaded only when it is the one.

`culdesac "some error"` means search, and so does piped input with no arguments: at 3 a.m. nobody remembers a verb.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import Any, NoReturn

import click

from culdesac import __version__
from culdesac.db.messages import LANGS, Lang, _, noted, preferred, reason, speak, spoken
from culdesac.told import told

_COMMANDS = ("search", "show", "ingest", "check", "export", "stats", "remove", "serve", "evaluate", "completion")


def _speak(context: click.Context, option: click.Parameter, value: Any) -> Any:
    if value:
        speak(value)
    return value


_LANGUAGE = click.Option(
    ["--lang"], type=click.Choice(LANGS), expose_value=False, is_eager=True, callback=_speak,
    help=noted("Language of what is printed; else as LANGUAGE, LC_ALL, LC_MESSAGES and LANG say."),
)  # fmt: skip


#: click's own words: its option for this fixes the message in English when it is made.
_VERSION = noted("Show the version and exit.")


def _version(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(_("%(prog)s, version %(version)s") % {"prog": "culdesac", "version": __version__})
        context.exit()


def load(name: str) -> click.Command:
    """A command as its module has it, in English, with the option that all have."""
    command: click.Command = import_module(f"culdesac.commands.{name}").command
    if _LANGUAGE not in command.params:
        command.params.append(_LANGUAGE)
    return command


class _Commands(click.Group):
    """A group whose commands are modules of culdesac.commands, and whose unknown words are a query."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return told(load(name)) if name in _COMMANDS else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"--version", "--help", "-h"}
        at = _first_word(args)
        if args[at : at + 1] and args[at] in _COMMANDS:
            # Options that stand before the command's name are the command's.
            args = [args[at], *args[:at], *args[at + 1 :]]
        first = (args[:1] == ["--lang"] and args[:2]) or [word for word in args[:1] if word.startswith("--lang=")]
        rest = args[len(first) :]
        if not rest and not _terminal():
            rest = ["search", "-"]
        elif rest and rest[0] not in _COMMANDS and rest[0] not in own:
            rest = ["search", *rest]
        return super().parse_args(ctx, [*first, *rest])


def _first_word(args: Sequence[str]) -> int:
    """Where the first word stands that is no option and no option's value, as search's options go; what follows `--`
    is a query."""
    if not args or not args[0].startswith("-"):
        return 0
    valued = {
        name
        for option in load("search").params
        if isinstance(option, click.Option) and not option.is_flag
        for name in option.opts
    }
    at = 0
    while at < len(args) and args[at].startswith("-") and args[at] not in ("-", "--"):
        at += 2 if args[at] in valued else 1
    return at


def _terminal() -> bool:
    return sys.stdin is None or sys.stdin.closed or sys.stdin.isatty()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help=_VERSION)
@click.option(
    "--lang", type=click.Choice(LANGS), expose_value=False, is_eager=True, callback=_speak, help=_LANGUAGE.help
)
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
    arguments = sys.argv[1:] if arguments is None else arguments
    # The help is translated before its options are read.
    speak(_asked(arguments) or preferred(os.environ))
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
        _discard_output()
    except OSError as error:
        _complain(_("the output can't be written: {reason}").format(reason=reason(error)))
        code = 2
        _discard_output()
    sys.exit(code)


def _asked(arguments: Sequence[str]) -> Lang | None:
    """The language that `--lang` asks for, wherever it stands; the last one counts."""
    found: Lang | None = None
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for at, word in enumerate(options):
        value = word.removeprefix("--lang=") if word.startswith("--lang=") else ""
        if word == "--lang":
            value = next(iter(options[at + 1 :]), "")
        found = next((lang for lang in LANGS if lang == value), found)
    return found


def _show(error: click.ClickException) -> None:
    """What click says, with a Chinese full stop where it puts its own after Chinese."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        from difflib import get_close_matches

        # The dashes, which all options share, make none of them close.
        names = {name.lstrip("-"): name for name in error.possibilities}
        error.possibilities[:] = [names[name] for name in get_close_matches(error.option_name.lstrip("-"), names)]
    said = StringIO()
    error.show(said)
    text = said.getvalue()
    if spoken() == "zh":
        text = text.replace("。 ", "。")
        text = re.sub(r"(?<='|[\u4e00-\u9fff])\.$", "。", text)
    click.echo(text, err=True, nl=False)


def _complain(message: str) -> None:
    click.echo(_("Error: {message}").format(message=message), err=True)


def _run(arguments: list[str]) -> int:
    output = sys.stdout
    try:
        returned = told(cli).main(args=arguments, prog_name="culdesac", standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except ValueError as error:
        from culdesac.db.file import FileError

        if not isinstance(error, FileError):
            raise
        _complain(str(error))
        return 2
    except click.Abort:
        click.echo(_("Aborted!"), err=True)
        return 130
    except SystemExit as error:
        if sys.stdout is not output:  # click replaces it when its reader has gone
            return 0
        return error.code if isinstance(error.code, int) else 0
    return returned if isinstance(returned, int) else 0


def _discard_output() -> None:
    """What is still buffered can't be written: the interpreter shall not try again when it ends."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
