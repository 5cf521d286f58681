"""The read side's SQL: the engine's own statements, and the queries that are meant for people."""

from pathlib import Path

from culdesac.db.sql import SqlFolder

FOLDER = Path(__file__).parent
engine = SqlFolder(FOLDER / "engine")
