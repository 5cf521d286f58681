"""The vocabulary: the files keep their format, and a Chinese question finds entries that have only English text."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import culdesac
from culdesac.db.text import HAN, fold, simplified, words
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.glossary import NOTHING, Concept, Said, glossary, mainland
from culdesac.queries.query import Query
from tests.conftest import ingest
from tests.needs import ROOT
from tests.test_invariants import write_lines

FILES = ("glossary_zh_en.tsv", "synonyms_zh.tsv", "words_tw.tsv")
CHINESE = re.compile(f"[{HAN}]+")
#: Words as a log has them: identifiers, numbers, apostrophes; no capitals, no punctuation around them.
RENDERING = re.compile(r"[a-z0-9][a-z0-9_.'-]*( [a-z0-9][a-z0-9_.'-]*)*")

#: Entries with English text alone, one for each thing that is asked below.
ENTRIES = {
    "a/oom": "RuntimeError: CUDA out of memory",
    "a/port": "Error: listen EADDRINUSE: address already in use :::3000",
    "a/image": "ImagePullBackOff: failed to pull image",
    "a/taint": "node(s) had untolerated taint",
    "a/rebase": "could not apply commit during rebase",
    "a/lock": "database timed out waiting for a connection",
    "a/cert": "certificate has expired",
    "a/null": "NullPointerException at line 12",
    "a/thread": "cannot start new thread",
    "a/other": "the flux capacitor is misaligned",
}


def lines(name: str) -> list[tuple[str, list[str]]]:
    """A file's words with what stands for them; fails for a line that is neither that nor a comment nor empty."""
    found = []
    for line in next(ROOT.glob(f"*/{name}")).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word, *rest = line.split("\t")
            assert len(rest) == 1, line
            found.append((word, rest[0].split("; ")))
    return found


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("english")
    documents = [{"id": entry_id, "signature": signature} for entry_id, signature in ENTRIES.items()]
    documents.append({"id": "b/chinese", "signature": "unrelated", "signature_zh": "无关"})
    ingest(folder / "errors.db", write_lines(folder / "errors.jsonl", documents))
    with culdesac.open(folder / "errors.db") as opened:
        yield opened


def read(engine: Engine, text: str) -> Query:
    return engine.candidates(text, Filters())[0]


# The files


@pytest.mark.parametrize("name", FILES)
def test_a_word_stands_once_and_is_chinese(name: str) -> None:
    keys = Counter(word for word, _ in lines(name))
    assert [word for word, count in keys.items() if count > 1] == []
    assert [word for word in keys if not CHINESE.fullmatch(word)] == []


def test_renderings_are_words_as_a_log_has_them() -> None:
    for word, renderings in lines("glossary_zh_en.tsv"):
        assert fold(word) == word
        assert len(set(renderings)) == len(renderings), word
        assert renderings == [NOTHING] or all(RENDERING.fullmatch(text) and words(text) for text in renderings), word


def test_the_glossary_is_general() -> None:
    telling = [word for word, renderings in lines("glossary_zh_en.tsv") if renderings != [NOTHING]]
    assert len(telling) > 2_500


def test_a_synonym_stands_in_one_line_only() -> None:
    groups = [[word, *others] for word, others in lines("synonyms_zh.tsv")]
    counts = Counter(word for group in groups for word in group)
    assert [word for word, count in counts.items() if count > 1] == []
    assert [word for word in counts if fold(word) != word or not CHINESE.fullmatch(word)] == []


def test_a_word_of_taiwan_is_more_than_other_characters() -> None:
    for word, (standard,) in lines("words_tw.tsv"):
        assert fold(standard) == standard, word
        assert fold(word) != standard, f"{word}: folding alone gives that"


def test_every_file_is_described() -> None:
    for page in ("glossary.md", "glossary.zh.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert [name for name in FILES if name not in text] == [], page


# Reading a question


@pytest.mark.parametrize(
    ("run", "cut"),
    [
        ("内存泄漏拖慢节点", ["内存泄漏", "节点"]),
        ("可执行文件损坏", ["可执行文件", "损坏"]),
        ("端口被占用怎么办", ["端口被占用"]),
        ("", []),
    ],
)
def test_the_longest_words_cover_a_run(run: str, cut: list[str]) -> None:
    spans = glossary().spans(run)
    assert [span.word for span in spans if len(span.word) > 1 and not glossary().says_nothing(span.word)] == cut
    assert all(run[span.start : span.end] == span.word for span in spans)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("記憶體不足 資料庫逾時", "内存不足 数据库超时"),
        ("伺服器憑證過期", "服务器证书过期"),
        ("打开档案 程式", "打开档案 程式"),
        ("檔案 程式", "文件 程序"),
        ("plain", "plain"),
    ],
)
def test_words_of_taiwan_are_replaced_beside_traditional_characters_only(line: str, expected: str) -> None:
    assert mainland(line, simplified()) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("显存不足", "a/oom"),
        ("显存爆了怎么办", "a/oom"),
        ("顯示記憶體不足", "a/oom"),
        ("端口被占用", "a/port"),
        ("連接埠被占用", "a/port"),
        ("拉取镜像失败", "a/image"),
        ("节点有污点", "a/taint"),
        ("变基失败", "a/rebase"),
        ("資料庫逾時", "a/lock"),
        ("憑證過期", "a/cert"),
        ("空指针", "a/null"),
        ("無法啟動新的執行緒", "a/thread"),
    ],
)
def test_a_chinese_question_finds_an_english_entry(english: Engine, question: str, expected: str) -> None:
    answer = english.search(question)
    assert answer.results[0].id == expected
    assert not answer.relaxed


def test_what_the_glossary_covers_is_not_unknown(english: Engine) -> None:
    query = read(english, "端口被占用 龘")
    assert query.unknown == {"龘"}
    (concept,) = query.concepts
    assert concept.word == "端口被占用"
    assert {"eaddrinuse": 1.0} in concept.ways
    # No entry says `port is already allocated`: that way is left out.
    assert "allocated" not in concept.words


def test_a_part_of_a_rendering_is_not_the_whole(corpus_db: Path) -> None:
    with culdesac.open(corpus_db) as opened:
        (concept,) = (one for one in read(opened, "数据库连接").concepts if one.word == "数据库连接")
    assert {"database", "connection"} in [way.keys() for way in concept.ways]
    assert ["connection"] not in [list(way) for way in concept.ways]
    assert concept.held(frozenset({"connection"})) < 0.5 < concept.held(frozenset({"database", "connection"}))


def test_a_word_that_no_entry_can_say_is_unknown(english: Engine) -> None:
    query = read(english, "水合")
    assert (query.concepts, query.unknown) == ((), {"水合"})


def test_the_words_that_say_it_are_marked(english: Engine) -> None:
    query = read(english, "证书过期")
    assert {"certificate", "expired"} <= query.marked.keys()
    assert {"certificate", "expired"}.isdisjoint(query.weights)


@pytest.mark.parametrize("question", ["错误", "失败 问题", "报错了怎么办", "错误 失败 问题"])
def test_a_question_of_common_words_is_not_sure(corpus_db: Path, question: str) -> None:
    with culdesac.open(corpus_db) as opened:
        assert not opened.search(question).confident


def test_a_log_is_not_translated(english: Engine) -> None:
    assert read(english, '10:02:11 [77] 端口被占用\n  File "main.py", line 3\nOSError: [Errno 98]').concepts == ()
    assert read(english, "端口被占用 " + "很长" * 2_000).concepts == ()


def test_a_way_counts_once_and_only_whole() -> None:
    ways = ({"eaddrinuse": 1.0}, {"address": 0.5, "use": 0.25, "already": 0.25})
    concept = Concept("端口被占用", frozenset(), ways, 4.0)
    assert concept.held(frozenset({"eaddrinuse", "address", "use", "already"})) == 0.9
    assert concept.held(frozenset({"address"})) == 0.9 * 0.25
    assert concept.held(frozenset({"port"})) == 0.0
    said = Said((concept,), concept.words)
    gains = [said.gain(frozenset(column)) for column in ({"address"}, {"use", "already"}, {"eaddrinuse"})]
    assert gains == pytest.approx([0.9, 2.7, 0.0])


# Speed


def test_the_files_are_read_by_the_first_chinese_question_only(english: Engine, tmp_path: Path) -> None:
    code = (
        "import sys, culdesac\n"
        "from culdesac.queries import glossary\n"
        "opened = culdesac.open(sys.argv[1])\n"
        "opened.search('address already in use')\n"
        "assert glossary.glossary.cache_info().currsize == 0\n"
        "opened.search('端口被占用')\n"
        "assert glossary.glossary.cache_info().currsize == 1\n"
        "assert glossary._taiwan.cache_info().currsize == 0\n"
        "assert not {'jieba', 'rjieba', 'opencc'} & sys.modules.keys()\n"
    )
    (path,) = (row[2] for row in english._connection.execute("PRAGMA database_list"))
    subprocess.run([sys.executable, "-c", code, path], cwd=tmp_path, check=True)
