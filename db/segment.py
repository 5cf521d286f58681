"""Cutting Chinese into words for the index: jieba's search mode without its guesser for new words.

Only writing an index needs this; a query finds its words in the index itself. rjieba (extra "fast") is the same
algorithm with the same dictionary, compiled: a test proves that both cut every text alike, and the file doesn't say
which one made it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

Segmenter = Callable[[str], list[str]]


def with_jieba() -> Segmenter:
    """jieba itself: starts in over a second, then 0.15 million characters a second."""
    import jieba
    import platformdirs

    # By default jieba keeps its cache where every user of the machine can write, and unmarshals what lies there.
    folder = platformdirs.user_cache_path("culdesac", ensure_exists=True)
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(folder)
    jieba.setLogLevel(logging.WARNING)
    return lambda text: list(tokenizer.cut_for_search(text, HMM=False))


def with_rjieba() -> Segmenter:
    """The compiled one: starts in a tenth of a second, millions of characters a second."""
    import rjieba

    jieba = rjieba.Jieba()
    return lambda text: list(jieba.cut_for_search(text, hmm=False))


@cache
def segmenter() -> Segmenter:
    """The fastest segmenter that is installed. Loaded on the first call: text without Chinese never asks."""
    return with_rjieba() if importlib.util.find_spec("rjieba") else with_jieba()


def segment(text: str) -> list[str]:
    """Cut folded Chinese into words, those inside longer words included."""
    return segmenter()(text)


@cache
def dictionary() -> tuple[str, str]:
    """The dictionary's version and SHA-256 (hex), whichever implementation reads it. Doesn't import it."""
    spec = importlib.util.find_spec("jieba")
    assert spec is not None, "jieba is a declared dependency"
    assert spec.origin is not None, "jieba is a package on disk"
    data = (Path(spec.origin).parent / "dict.txt").read_bytes()
    return f"jieba {version('jieba')}", hashlib.sha256(data).hexdigest()
