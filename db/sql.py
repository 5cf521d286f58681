"""SQL from .sql files, read once."""

from __future__ import annotations

from pathlib import Path


class SqlFolder:
    """The .sql files of one folder: `sql("schema")` is the text of schema.sql."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        text = self._texts.get(name)
        if text is None:
            text = self._texts[name] = (self._folder / f"{name}.sql").read_text(encoding="utf-8")
        return text


#: Scripts of the file itself: schema, indexes, finish, integrity.
script = SqlFolder(Path(__file__).parent)
#: Single statements.
statement = SqlFolder(Path(__file__).parent / "statements")
