"""What the pages of this folder print is really printed: cog calls `shell` and puts the output into the page.

`make docs` runs it, `make docs-check` (and CI) fails when a page says something else than the product does.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from culdesac.db.messages import Lang, translations

ROOT = Path(__file__).resolve().parents[1]
_folder = tempfile.TemporaryDirectory(prefix="culdesac-docs-")
atexit.register(_folder.cleanup)


def _environment() -> dict[str, str]:
    """The reader's shell: our commands on the PATH, a plain locale, a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CULDESAC", "LC_", "LANG"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": path, "LANG": "C.UTF-8", "HOME": _folder.name, "COLUMNS": "100", "NO_COLOR": "1"}


def database() -> Path:
    """The file made from the sample, in the folder where the commands run."""
    made = Path(_folder.name) / "errors.db"
    if not made.exists():
        arguments = ["culdesac", "ingest", "--sample", "--db", str(made)]
        subprocess.run(arguments, check=True, capture_output=True, env=_environment())
    return made


def shell(command: str, language: str = "text", lines: int | None = None) -> None:
    """Print a command and what it prints, as two fenced blocks; `lines` cuts the output."""
    made = database()
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=_folder.name, env=_environment(), check=False
    )
    for left in set(Path(_folder.name).glob("*")) - {made}:
        # What one example leaves is not there for the next: a page prints the same alone and after another.
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    printed = (done.stdout + done.stderr).rstrip("\n")
    if lines and printed.count("\n") >= lines:
        printed = "\n".join([*printed.split("\n")[:lines], "…"])
    print(f"\n```sh\n{command}\n```\n\n```{language}\n{printed}\n```\n")


def help_of(command: str, lang: str = "en") -> None:
    """Print a command's help as a section, in a language."""
    done = subprocess.run(
        ["bash", "-c", f"culdesac --lang {lang} {command} --help"],
        capture_output=True,
        text=True,
        env=_environment(),
        check=True,
    )
    print(
        f"\n## culdesac {command}\n\n```text\n{done.stdout.rstrip()}\n```\n"
        if command
        else f"\n```text\n{done.stdout.rstrip()}\n```\n"
    )


def tables(lang: Lang = "en") -> None:
    """Print every table of the file with its columns, as the plugin describes them in a language."""
    from culdesac.plugins.web.columns import TABLES

    say = translations(lang).gettext
    head = {"en": "| column | what it is |", "zh": "| 列 | 含义 |"}[lang]
    for name, table in TABLES.items():
        print(f"\n### {name}\n\n{say(table.description)}\n\n{head}\n|---|---|")
        for column, text in table.columns.items():
            print(f"| {column} | {say(text).replace('|', chr(92) + '|')} |")
    print()


def queries(lang: Lang = "en") -> None:
    """Print the queries for people: name, parameters, title."""
    from culdesac.queries.shipped import shipped

    head = {"en": "| query | parameters | answers |", "zh": "| 查询 | 参数 | 回答什么 |"}[lang]
    print(f"\n{head}\n|---|---|---|")
    for query in shipped():
        none, comma = {"en": ("none", ", "), "zh": ("无", "、")}[lang]
        parameters = comma.join(f"`:{name}`" for name in query.parameters) or none
        title = query.title_zh if lang == "zh" else query.title
        print(f"| [{query.name}](../queries/{query.name}.sql) | {parameters} | {title} |")
    print()


def table(page: str, number: int, words: dict[str, str]) -> None:
    """Print a table of an English page (from 1) in other words: its figures stand in one place.

    Raises KeyError when the head or the first column says something that `words` doesn't have.
    """
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    head, rule, *rows = re.findall(r"(?:^\|.*\n)+", text, re.M)[number - 1].splitlines()
    print("\n" + "|".join(f" {words[cell.strip()]} " if cell else "" for cell in head.split("|")))
    print(rule)
    for row in rows:
        _, first, rest = row.split("|", 2)
        cells = re.sub(r"(\d+) of (\d+)", r"\1 / \2", rest)
        print(f"| {words[first.strip()]} |{cells}")
    print()


def http(method: str, path: str, body: str | None = None, language: str = "json", lines: int | None = None) -> None:
    """Print a request and the answer of a site that serves the sample: status, content type, body."""
    import asyncio

    from datasette.app import Datasette

    site = Datasette([str(database())])
    headers = {"content-type": "application/json"} if body else {}
    answer = asyncio.run(site.client.request(method, path, content=body, headers=headers))
    printed = answer.text.rstrip("\n")
    if language == "json":
        printed = json.dumps(answer.json(), ensure_ascii=False, indent=2)
    if lines and printed.count("\n") >= lines:
        printed = "\n".join([*printed.split("\n")[:lines], "…"])
    said = f"{method} {path}" + (f"\n{body}" if body else "")
    kind = answer.headers.get("content-type", "")
    print(f"\n```http\n{said}\n```\n\n{answer.status_code}, {kind}\n\n```{language}\n{printed}\n```\n")
