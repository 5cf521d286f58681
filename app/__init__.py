"""Culdesac: an embedded search engine over error knowledge, in one SQLite file.

import culdesac

with culdesac.open("errors.db") as file:
    answer = file.search("CUDA out of memory", n=3)
    print(answer.confident, answer.results[0].id)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from culdesac.queries.engine import Engine

__version__ = "0.1.0"

__all__ = ["__version__", "open"]


def open(path: str | Path) -> Engine:
    """Open a Culdesac file to search, show and export it.

    Raises culdesac.db.file.FileError (a ValueError) with one line that says what is wrong and what to do.
    """
    from culdesac.queries.engine import Engine

    return Engine(path)
