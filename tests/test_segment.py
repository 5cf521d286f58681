"""Folding and segmenting: one normal form on both sides, and one result whichever segmenter is installed."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from culdesac.db import segment
from culdesac.db.text import fold, identifier_parts, index_text, signature_key, words
from tests.corpora import documents
from tests.needs import missing


def texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for member in members for text in texts(member)]


def test_jieba_and_rjieba_cut_every_text_alike() -> None:
    try:
        fast = segment.with_rjieba()
    except ModuleNotFoundError:
        missing("rjieba isn't installed (extra fast)")
    slow = segment.with_jieba()
    chinese = [fold(text) for document in documents() for text in texts(document) if not text.isascii()]
    assert len(chinese) > 500
    assert [text for text in chinese if fast(text) != slow(text)] == []


def test_both_segmenters_make_the_same_file(tmp_path: Path, sample_db: Path) -> None:
    code = (
        "import sys; sys.modules['rjieba'] = None\n"
        "import importlib.util as u; found = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'rjieba' else found(name, *more)\n"
        "sys.argv[1:] = ['ingest', '--sample', '--db', 'errors.db']\n"
        "from culdesac.cli import main\n"
        "try: main()\n"
        "finally: assert 'jieba' in sys.modules\n"
    )
    environment = {"HOME": str(tmp_path), "PATH": "", "TMPDIR": str(tmp_path / "shared")}
    (tmp_path / "shared").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "errors.db").read_bytes() == sample_db.read_bytes()
    # jieba's cache is code to whoever loads it: it lies in the user's own folder, never in a shared one.
    assert list((tmp_path / "shared").iterdir()) == []
    (cache,) = (tmp_path / ".cache/culdesac").glob("*")
    assert not cache.parent.stat().st_mode & stat.S_IWOTH


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＣＵＤＡ　OOM", "cuda oom"),
        ("顯存不足", "显存不足"),
        ("記憶體", "记忆体"),
        ("Ünïcödé", "unicode"),
        ("ﬁle №5", "file no5"),
        ("plain ASCII 42", "plain ascii 42"),
        ("文件 程序", "文件 程序"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_fold_takes_any_text_and_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("java.lang.ActivityNotFoundException", ["activity", "not", "found", "exception"]),
        ("parseJSONObject", ["parse", "json", "object"]),
        ("HTTPServer", ["http", "server"]),
        ("E0502 ENOENT plain_snake lower UPPER", []),
    ],
)
def test_identifier_parts(text: str, parts: list[str]) -> None:
    assert identifier_parts(text) == parts


def test_chinese_is_cut_and_the_rest_is_left() -> None:
    assert index_text("GPU 显存不足 at 0x1", segment.segment) == "gpu 显存 不足 at 0x1"
    assert index_text("fooBar", segment.segment, parts=True) == "foobar foo bar"
    assert index_text("", segment.segment) is None
    assert len(index_text("x" * 10_000_000, segment.segment) or "") == 64


def test_a_signature_is_found_by_its_words_alone() -> None:
    assert signature_key("  Error: foo-bar (42)  ") == signature_key("error foo bar 42") == "error foo bar 42"


@given(st.text())
def test_words_are_made_of_word_characters(text: str) -> None:
    assert all(word.isalnum() or not word.isascii() for word in words(fold(text)))


def test_text_without_chinese_loads_no_segmenter(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(
        '{"id": "a/b", "signature": "plain caf\u00e9 text", "root_cause": "none"}', encoding="utf-8"
    )
    code = (
        "import sys; sys.argv[1:] = ['ingest', 'x.json', '--db', 'errors.db']\n"
        "from culdesac.cli import main\n"
        "try: main()\n"
        "finally: assert not {'jieba', 'rjieba'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
