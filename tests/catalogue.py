"""The catalogue of messages: brought up to date with the source and compiled (`make messages`), or only compared.

Beside what the source marks stand the help texts of the commands, as click shows them, what the tables and columns
are, and the words of click and of Datasette's pages.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from gettext import GNUTranslations
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from culdesac.cli import cli, load
from culdesac.db.messages import DOMAIN
from culdesac.plugins.web import marking
from culdesac.plugins.web.columns import TABLES
from culdesac.told import told

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "db" / "locale" / "zh" / "LC_MESSAGES"
PO, MO = FOLDER / f"{DOMAIN}.po", FOLDER / f"{DOMAIN}.mo"
#: The functions whose arguments are messages; those of db/page_layout.py name the parts of an entry page.
KEYWORDS: dict[str, Any] = {
    "_": None, "gettext": None, "noted": None, "ngettext": (1, 2),
    "Label": (1,), "_field": (2,), "_section": (2,), "_edges": (2,),
}  # fmt: skip
_METHODS = [("**.py", "python"), ("**/templates/**", "jinja2"), ("**/templates/*.txt", "jinja2")]


def ours() -> dict[str | tuple[str, ...], list[str]]:
    """Every message of ours, with the files that have it."""
    found: dict[str | tuple[str, ...], list[str]] = {}
    for folder in ("app", "db", "ingest", "queries", "plugins"):
        for file, _, message, _, _ in extract_from_dir(ROOT / folder, _METHODS, keywords=KEYWORDS):
            _note(found, message, f"{folder}/{file}")
    for name in ("", *cli.list_commands(click.Context(cli))):
        told(load(name) if name else cli, _hear(found, f"app/commands/{name}.py" if name else "app/cli.py"))
    for table in TABLES.values():
        for text in (table.title, table.description, *table.columns.values()):
            _note(found, text, "plugins/web/columns.py")
    return found


def clicks() -> dict[str | tuple[str, ...], list[str]]:
    """Every message of click, of the version that is installed."""
    spec = find_spec("click")
    assert spec
    assert spec.origin
    found: dict[str | tuple[str, ...], list[str]] = {}
    for path in sorted(Path(spec.origin).parent.glob("*.py")):
        for _, message, _, _ in extract_from_file("python", path):
            _note(found, message, f"click/{path.name}")
    return found


def datasettes() -> dict[str | tuple[str, ...], list[str]]:
    """Every word of Datasette's pages, of the version that is installed."""
    found: dict[str | tuple[str, ...], list[str]] = {}
    for text, name in marking.messages():
        _note(found, text, f"datasette/{name}")
    return found


def _note(found: dict[str | tuple[str, ...], list[str]], message: Any, where: str) -> None:
    places = found.setdefault(message, [])
    if where not in places:
        places.append(where)


def _hear(found: dict[str | tuple[str, ...], list[str]], where: str) -> Callable[[str], str]:
    """What notes the help texts that it is asked to translate."""

    def say(message: str) -> str:
        _note(found, message, where)
        return message

    return say


def stored() -> Catalog:
    """The catalogue as it is in the tree."""
    with PO.open("rb") as file:
        return read_po(file, "zh", DOMAIN)


def update() -> None:
    """Give the catalogue every message of the source and none else; new ones are empty. Then compile it."""
    old = stored()
    new = Catalog("zh", DOMAIN, old.header_comment, project="Culdesac", version="0.1.0",
                  copyright_holder="the authors of Culdesac", msgid_bugs_address="", creation_date=old.creation_date,
                  revision_date=old.revision_date, last_translator=old.last_translator,
                  language_team=old.language_team, charset="utf-8", fuzzy=False)  # fmt: skip
    for message, places in _union(ours(), clicks(), datasettes()).items():
        known = old.get(message if isinstance(message, str) else message[0])
        locations = [(place, 0) for place in sorted(places)]
        new.add(message, known.string if known else "", locations, user_comments=known.user_comments if known else ())
    with PO.open("wb") as file:
        write_po(file, new, width=120, sort_output=True, include_lineno=False)
    with MO.open("wb") as file:
        write_mo(file, new)


def _union(*found: Mapping[Any, list[str]]) -> dict[Any, list[str]]:
    merged: dict[Any, list[str]] = {}
    for messages in found:
        for message, places in messages.items():
            merged.setdefault(message, []).extend(places)
    return merged


def messages(catalogue: Catalog) -> dict[Any, Message]:
    """The messages of a catalogue by what they say in English."""
    return {message.id: message for message in catalogue if message.id}


def compiled(data: bytes) -> dict[Any, str]:
    """What a compiled catalogue says, without its header."""
    said: dict[Any, str] = dict(GNUTranslations(io.BytesIO(data))._catalog)  # type: ignore[attr-defined]
    return {message: text for message, text in said.items() if message}


def wrong() -> Iterator[str]:
    """What isn't as it should be: messages that are missing, empty, fuzzy or unused, and a stale compilation."""
    own, known = ours(), messages(stored())
    # Other versions of click and Datasette may say other things; they are compared with those that were tested.
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").split()
    if all(f"{name}=={version(name)}" in locked for name in ("click", "datasette")):
        own = _union(own, clicks(), datasettes())
        yield from (f"unused: {message!r}" for message in known.keys() - own.keys())
    yield from (f"missing: {message!r}" for message in own.keys() - known.keys())
    for message, found in known.items():
        texts = [found.string] if isinstance(found.string, str) else found.string
        if found.fuzzy or not all(texts):
            yield f"fuzzy or not translated: {message!r}"
    output = io.BytesIO()
    write_mo(output, stored())
    if compiled(output.getvalue()) != compiled(MO.read_bytes()):
        yield f"{MO.name} isn't {PO.name} compiled"


def main() -> int:
    """`--check` compares; without it the catalogue is brought up to date."""
    if sys.argv[1:] != ["--check"]:
        update()
    found = sorted(wrong())
    print("\n".join([*found, f"{len(messages(stored()))} messages, {len(found)} wrong; make messages updates them"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
