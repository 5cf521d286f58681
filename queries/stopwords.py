"""What is said in every question and of no error: stopwords.txt beside this module."""

from __future__ import annotations

from culdesac.queries.sql import FOLDER

STOP_WORDS = frozenset(
    word
    for line in (FOLDER / "stopwords.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
