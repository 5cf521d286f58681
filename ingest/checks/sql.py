"""SQL of the checks, from .sql files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def statement(name: str) -> str:
    """The text of ingest/checks/<name>.sql: one statement."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
