"""Words of Taiwan and Hong Kong with the mainland's: one list, for the file's table `words_tw` and for the engine.

words_tw.tsv beside this module holds it (docs/glossary.md describes the format).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def words_tw() -> Mapping[str, str]:
    """Words in traditional characters, each with what the mainland says, folded."""
    lines = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and line[0] != "#")
