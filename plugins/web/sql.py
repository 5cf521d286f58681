"""The SQL that only pages need."""

from pathlib import Path

from culdesac.db.sql import SqlFolder

web = SqlFolder(Path(__file__).parent / "sql")
