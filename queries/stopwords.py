"""Words that say little: stopwords.txt holds what is said in every question and of no error, vague.txt what says that
something is wrong and never what."""

from __future__ import annotations

from culdesac.queries.sql import FOLDER


def _words(name: str) -> frozenset[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


STOP_WORDS = _words("stopwords.txt")
VAGUE = _words("vague.txt")
