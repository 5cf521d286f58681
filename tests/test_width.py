"""Columns and lines on a terminal, where a Chinese character is as wide as two others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from culdesac.width import cut, left, right, table, width, wrap
from tests.conftest import Run

OOM = "pytorch/cuda-out-of-memory-training"
MIXED = st.text(st.sampled_from("显存不足请检查，。、；：？！（）《》“”ＣＵＤＡabc xyz ./-_`12é한…"), max_size=120)


@given(MIXED)
def test_the_width_is_the_one_of_wcwidth(text: str) -> None:
    assert width(text) == wcswidth(text)


@given(MIXED, st.integers(4, 40))
def test_wrapped_lines_fit_and_lose_nothing(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width(line) <= columns for line in lines)
    assert lines == [""] or all(line.strip() for line in lines) or not text.strip()


@given(st.text(st.sampled_from("显存不足请检查，。；：？！）》”（《“abc "), max_size=80), st.integers(24, 40))
def test_no_line_begins_with_what_closes_or_ends_with_what_opens(text: str, columns: int) -> None:
    # Runs of marks that are longer than the line are cut, as any word is.
    text = re.sub(r"([，。；：？！）》”（《“])[，。；：？！）》”（《“ ]+", r"\1", text).strip("，。；：？！）》”（《“ ")
    text = re.sub(r" (?=[，。；：？！）》”])|(?<=[（《“]) |[a-z]{12,}", "", text)
    for before, after in zip(lines := wrap(text, columns), lines[1:], strict=False):
        assert after[0] not in "，。；：？！）》”", (before, after)
        assert before[-1] not in "（《“", (before, after)


def test_chinese_wraps_at_two_columns_a_character_and_english_at_blanks() -> None:
    text = "显存不足时先把批量大小减半，再调用 torch.cuda.empty_cache()。"
    assert wrap(text, 26) == ["显存不足时先把批量大小减", "半，再调用", "torch.cuda.empty_cache()。"]
    assert wrap("先把批量大小减半。", 16) == ["先把批量大小减", "半。"]
    assert wrap("a plain line of words", 10) == ["a plain", "line of", "words"]
    assert wrap("", 10) == [""]


@given(st.lists(st.text("ab/中", min_size=1, max_size=60), max_size=8), st.integers(10, 60))
def test_a_word_that_is_left_whole_can_be_copied(words: list[str], columns: int) -> None:
    text = " ".join(words)
    lines = wrap(text, columns, whole=True)
    assert "".join("".join(lines).split()) == "".join(words)
    for word in re.findall("[ab/]+", text):
        assert any(word in line for line in lines)
    assert all(width(line) <= columns or not re.search("[ 中].", line) for line in lines), lines


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_answers_and_entries_fit_the_terminal(culdesac: Run, corpus_db: Path, lang: str) -> None:
    for arguments in (
        ["search", "NCCL communicator was aborted on rank 2"],
        ["search", "sourdough smells of acetone"],
        ["show", "pytorch/nccl-timeout/torch2-linux"],
        ["show", OOM],
    ):

        def said(columns: int, arguments: list[str] = arguments) -> list[str]:
            done = culdesac(*arguments, "--db", corpus_db, "--lang", lang, COLUMNS=str(columns))
            return done.stdout.splitlines()

        wide = "".join("".join(said(100)).split())
        for columns in (30, 40, 60):
            lines = said(columns)
            # An id or a link is one word: it goes on where the terminal breaks it, and can be copied.
            long = [line for line in lines if wcswidth(line) > columns and not re.fullmatch(r" *[!-~]+", line)]
            assert long == []
            assert any(wcswidth(line) > columns - 12 for line in lines)
            assert "".join("".join(lines).split()) == wide


def test_cutting_and_padding_count_columns() -> None:
    assert cut("显存不足", 8) == "显存不足"
    assert cut("显存不足", 7) == "显存不…"
    assert cut("显存不足", 6) == "显存…"
    assert (left("显存", 6), right("显存", 6)) == ("显存  ", "  显存")


@given(st.lists(st.tuples(MIXED, MIXED, st.just("x")), min_size=1, max_size=6))
def test_the_columns_of_a_table_begin_at_the_same_place(rows: list[tuple[str, str, str]]) -> None:
    starts = {width(line) - 1 for line in table(rows)}
    assert len(starts) == 1


def test_columns_of_mixed_text_on_the_terminal(culdesac: Run, sample_db: Path) -> None:
    """Stats, help and an entry's steps: each row's second column begins where that of the others does."""
    stats = culdesac("stats", "--db", sample_db, "--lang", "zh").stdout.splitlines()[1:]
    # A value that doesn't fit beside its name stands below it.
    firsts = [found[1] for line in stats if (found := re.match(r"(\S.*?\S {2,})\S", line))]
    assert len(firsts) > 10
    assert len({wcswidth(first) for first in firsts}) == 1

    shown = culdesac("--help", LANG="zh_CN.UTF-8", COLUMNS="60").stdout
    commands = shown.partition("命令：\n")[2].splitlines()
    assert {wcswidth(re.match(r" *(?:\w+ +)?", line)[0]) for line in commands} == {14}  # type: ignore[index]
    assert max(map(wcswidth, shown.splitlines())) <= 60 + 22  # the examples stay on a line each
    assert max(map(wcswidth, commands)) <= 60

    entry = culdesac("show", OOM, "--db", sample_db, LANG="zh_CN.UTF-8", COLUMNS="60").stdout
    steps = entry.partition("可以这样做\n")[2].partition("\n\n")[0].splitlines()
    assert {wcswidth(re.match(r" *(?:\d+ % +)?", line)[0]) for line in steps} == {10}  # type: ignore[index]
    assert max(map(wcswidth, steps)) <= 60
    assert any(re.match(" {10}[\u4e00-\u9fff]", line) for line in steps), "a Chinese step goes on in its column"
