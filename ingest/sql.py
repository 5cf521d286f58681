"""The write side's SQL."""

from pathlib import Path

from culdesac.db.sql import SqlFolder

script = SqlFolder(Path(__file__).parent)
statement = SqlFolder(Path(__file__).parent / "statements")
