"""The queries for people: each .sql file of this folder, as the file, Datasette and the documentation list them.

Each begins with comment lines: `-- title: …` (and `-- title_zh: …`), then what it does and how to call it. It runs in
the sqlite3 shell as it is: a parameter that nobody bound is NULL, and every query takes that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from culdesac.queries.sql import FOLDER

_TITLE = re.compile(r"^-- title: (.+)$", re.M)
_TITLE_ZH = re.compile(r"^-- title_zh: (.+)$", re.M)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Shipped:
    """A query: its name (the file's), its titles, its SQL with the comments, the parameters it takes, in order."""

    name: str
    title: str
    title_zh: str
    sql: str
    parameters: tuple[str, ...]


@cache
def shipped() -> tuple[Shipped, ...]:
    """Every query for people, by name."""
    return tuple(_read(path.stem, path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.sql")))


def _read(name: str, sql: str) -> Shipped:
    title, title_zh = _TITLE.search(sql), _TITLE_ZH.search(sql)
    assert title is not None, f"queries/{name}.sql has no title line"
    code = re.sub(r"--.*", "", sql)
    parameters = tuple(dict.fromkeys(_PARAMETER.findall(code)))
    # A blank line in front: an argument that starts with a comment is an option to the sqlite3 shell.
    return Shipped(name, title[1], title_zh[1] if title_zh else title[1], f"\n{sql.strip()}\n", parameters)
