"""culdesac stats: what a file holds and what it was made from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click

import culdesac
from culdesac.common import Stop, database_option, existing_database
from culdesac.db.file import FileError
from culdesac.db.messages import _, noted
from culdesac.render import safe
from culdesac.width import table, width

#: The rows of the table `about`, whose names are their own messages.
_NAMES = (
    noted("count/entries"),
    noted("count/errors"),
    noted("count/domains"),
    noted("count/chinese entries"),
    noted("count/workarounds"),
    noted("count/dead ends"),
    noted("count/transitions"),
    noted("count/problems"),
    noted("culdesac"),
    noted("fold"),
    noted("index/latent dimensions"),
    noted("index/words per entry"),
    noted("schema version"),
    noted("tokenizer"),
    noted("tokenizer dictionary"),
    noted("tokenizer dictionary sha256"),
)
#: Steps of how a text is folded and cut into words, as the file names them.
_STEPS = (noted("lower case"), noted("no marks"), noted("no HMM"))
_OPENCC = re.compile(r"OpenCC (\S+) t2s by character")
_COLUMNS = 80
_SOURCE = re.compile(r"source/(.*)/(sha256|licence)", re.S)


@click.command("stats")
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(db: Path | None, as_json: bool) -> None:
    """Say what the file holds, what made it and from which sources.

    \b
    culdesac stats --db errors.db
    culdesac stats --json
    """
    path = existing_database(db)
    try:
        with culdesac.open(path) as engine:
            # In a stranger's file bytes may stand where text belongs.
            about = {str(key): str(value) for key, value in engine.about().items()}
    except FileError as error:
        raise Stop(str(error)) from None
    if as_json:
        click.echo(json.dumps(about, ensure_ascii=False, indent=2))
        return
    click.echo(click.style(safe(str(path)), bold=True))
    click.echo("\n".join(_lines([(safe(_name(key)), safe(_value(key, value))) for key, value in about.items()])))


def _lines(rows: list[tuple[str, str]]) -> Iterator[str]:
    """A line each; a value that doesn't fit beside its name, a hash, has the next line for itself."""
    for (name, value), line in zip(rows, table(rows), strict=True):
        yield from [line] if width(line) <= _COLUMNS else [name, f"  {value}"]


def _value(key: str, value: str) -> str:
    """A count as counts are printed elsewhere, and how the words were made in words of the language.

    In a stranger's file it may be any text, which stays as it is."""
    if key.startswith("count/") and re.fullmatch("[0-9]{1,18}", value):
        return f"{int(value):,}"
    if key in ("fold", "tokenizer"):
        return _(", ").join(_step(step) for step in value.split(", "))
    return value


def _step(step: str) -> str:
    opencc = _OPENCC.fullmatch(step)
    if opencc:
        return _("OpenCC {version} t2s by character").format(version=opencc[1])
    return _(step) if step in _STEPS else step


def _name(key: str) -> str:
    source = _SOURCE.fullmatch(key)
    if source:
        message = _("source/{name}/sha256") if source[2] == "sha256" else _("source/{name}/licence")
        return message.format(name=source[1])
    return _(key) if key in _NAMES else key
