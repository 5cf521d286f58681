"""Searching, through Python: never fails on any text, finds exact signatures first, keeps its contract."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import culdesac
from culdesac.db.file import FileError
from culdesac.db.text import fold, words
from culdesac.queries.engine import Engine, Filters, UnknownEntry
from culdesac.queries.query import MOST_CHARACTERS, MOST_CHINESE
from culdesac.queries.regexes import regex_match
from culdesac.queries.sql import FOLDER, engine
from tests.conftest import ingest
from tests.corpora import sample
from tests.test_invariants import write_lines

SYNTAX = ['"', "'", "*", "(", ")", ":", "^", "-", "NEAR", "AND", "OR", "NOT", "{a b}:", "\0", "%", "\\", "显存", "容器"]
WORDS = st.lists(st.sampled_from(SYNTAX)).map(" ".join)


@pytest.fixture(scope="module")
def file(sample_db: Path) -> Iterator[Engine]:
    with culdesac.open(sample_db) as opened:
        yield opened


@given(text=st.text() | WORDS | st.text(st.characters(categories=["Cs", "Lo"])))
def test_any_text_is_a_query(file: Engine, text: str) -> None:
    answer = file.search(text, n=3)
    assert len(answer.results) <= 3
    scores = [result.score for result in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert answer.confident == (bool(scores) and answer.results[0].confident)
    json.dumps(answer.as_dict()).encode()


@given(options=st.fixed_dictionaries({"domain": st.text(), "os": st.text(), "package": st.text()}), n=st.integers())
def test_any_filter_is_taken(file: Engine, options: dict[str, str], n: int) -> None:
    assert len(file.search("error timeout", n=n, **options).results) <= 100  # type: ignore[arg-type]


def test_every_signature_finds_its_own_error_first(file: Engine) -> None:
    for document in sample():
        for text in (document["signature"], f"[12:03:44] {document['signature']}\nexit 1", document["signature_zh"]):
            answer = file.search(text)
            same = {entry["id"] for entry in sample() if entry["signature"] == document["signature"]}
            assert answer.results[0].id in same, text


def test_the_line_and_the_marks_are_in_the_original(file: Engine) -> None:
    log = "\n".join(["starting", "", "CUDA out of memory. Tried to allocate 2.00 GiB", "bye"])
    first = file.search(log).results[0]
    assert first.why.line == 3
    assert first.why.matched == log.split("\n")[2]
    assert first.why.regex
    assert "CUDA" in [first.snippet.text[a:b] for a, b in first.snippet.marks]


@pytest.mark.parametrize("text", ["显存不足怎么办", "ＣＵＤＡ顯存不足", "torch 显存 OOM 怎么解决"])
def test_chinese_as_it_is_typed(file: Engine, text: str) -> None:
    first = file.search(text, lang="zh").results[0]
    assert first.domain in ("pytorch", "huggingface"), "both know of memory that runs out on a GPU"
    marked = [first.snippet.text[a:b] for a, b in first.snippet.marks]
    assert any("显存" in part for part in marked), first.snippet


def test_variants_are_one_result_best_first(tmp_path: Path) -> None:
    counts = {"linux": 1, "windows": 9, "macos": 5}
    entry = {"signature": "The frobnicator is stuck"}
    entries = [entry | {"id": f"d/s/{name}", "evidence_count": count} for name, count in counts.items()]
    target = tmp_path / "errors.db"
    ingest(target, write_lines(tmp_path / "x.jsonl", entries))
    with culdesac.open(target) as file:
        (result,) = file.search("The frobnicator is stuck").results
        assert result.variants == ("d/s/windows", "d/s/macos", "d/s/linux")
        (result,) = file.search("frobnicator stuck on macos").results
        assert result.id == "d/s/macos"
        assert file.show("d/s").id == "d/s/windows"
        assert file.show("d/s/linux").variants == ("d/s/windows", "d/s/macos", "d/s/linux")
        with pytest.raises(UnknownEntry):
            file.show("d")


def test_filters_narrow(file: Engine) -> None:
    domains = {result.domain for result in file.search("timeout", n=100).results}
    assert len(domains) > 1
    assert {result.domain for result in file.search("timeout", n=100, domain="docker").results} <= {"docker"}
    assert file.search("timeout", package="no such").results == ()


def test_a_huge_query_is_cut_in_the_middle(file: Engine) -> None:
    needle = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"
    noise = "quux line of nothing 0x7f\n" * 80_000
    assert len(noise) > 2 * MOST_CHARACTERS
    for log in (f"{needle}\n{noise}", f"{noise}{needle}"):
        assert file.search(log).results[0].domain == "pytorch"


def test_chinese_is_read_at_both_ends_of_a_long_text(sample_db: Path) -> None:
    # Other characters than the error's, so that nothing else proposes it.
    noise = "\n".join("".join(chr(0x4E00 + (n * m) % 500) for m in range(1, 40)) + "，" for n in range(1, 9_000))
    assert len(noise) > 10 * MOST_CHINESE
    with culdesac.open(sample_db) as file:
        needle = next(iter(file.search("显存不足", n=1).results)).signature_zh
        assert needle
        for log in (f"{needle}\n{noise}", f"{noise}\n{needle}"):
            assert file.search(log).results[0].signature_zh == needle


@pytest.mark.parametrize(
    "question",
    [
        "My pod keeps restarting.\n\nWhat should I do?\n",
        "容器一直重启\n怎么办",
        "pip install fails\nexternally managed",
    ],
)
def test_a_question_may_stand_on_several_lines(file: Engine, question: str) -> None:
    several, one = file.search(question), file.search(" ".join(question.split()))
    assert several.confident
    assert [result.id for result in several.results[:1]] == [result.id for result in one.results[:1]]


def test_a_strangers_regex_runs_in_linear_time(tmp_path: Path) -> None:
    regexes = ["(a*)*$", "(", "(?=x)y", "a{1,999}{9}"]
    evil = [{"id": f"e/{n}", "signature": "evil regex here", "regex": regex} for n, regex in enumerate(regexes)]
    target = tmp_path / "errors.db"
    ingest(target, write_lines(tmp_path / "x.jsonl", evil))
    with culdesac.open(target) as file:
        answer = file.search("evil regex here " + "a" * 20_000 + "!")
    assert len(answer.results) == len(evil)


def test_a_regex_says_as_much_as_it_spells_out(tmp_path: Path) -> None:
    regexes = {"own": r"not bind .*\bsocket", "any": ".*", "digits": r"\d+", "none": None}
    documents = [
        {"id": f"d/{name}", "signature": "Could not bind the socket", "regex": regex} for name, regex in regexes.items()
    ]
    documents += [{"id": f"e/{n}", "signature": f"Another message, number {n}"} for n in range(200)]
    target = tmp_path / "errors.db"
    ingest(target, write_lines(tmp_path / "x.jsonl", documents))
    with culdesac.open(target) as file:
        # Several lines, so that no message is the query word for word.
        results = file.search(
            "[10:00:01] app[7]: starting\n[10:00:02] app[7]: Could not bind the socket 8080\n", explain=True
        ).results
    said = {result.error_id: (result.explain or {})["regex"] for result in results}
    assert results[0].error_id == "d/own"
    assert said["d/own"] > 10 * max(said["d/any"], said["d/digits"])
    assert said["d/none"] == 0


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_regex_is_worth_something_between_nothing_and_one(pattern: str, text: str) -> None:
    assert 0 <= regex_match(pattern, text, dict.fromkeys(words(fold(text)), 3.0)) <= 1


def test_nothing_that_is_searched_is_written(sample_db: Path) -> None:
    before = sample_db.read_bytes()
    with culdesac.open(sample_db) as file:
        file.search("secret token")
        with pytest.raises(sqlite3.OperationalError, match=r"readonly"):
            file._connection.execute("DELETE FROM entries")
    assert sample_db.read_bytes() == before


def test_a_view_may_not_pose_as_a_table(tmp_path: Path, sample_db: Path) -> None:
    path = tmp_path / "evil.db"
    shutil.copy(sample_db, path)
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE problems; CREATE VIEW problems AS SELECT randomblob(1) AS pk")
    connection.close()
    with pytest.raises(FileError, match="problems"):
        culdesac.open(path)


@pytest.mark.parametrize(
    ("name", "parameters", "scans"),
    [
        ("known_terms", {"words": "[]"}, []),
        ("exact", {"keys": "[]", "limit": 1, **Filters().parameters()}, []),
        ("propose_by_signature", {"words": "[]", "limit": 1}, []),
        # All of the sample is in Chinese: which entries are is read faster without the index.
        ("propose_by_signature_filtered", {"words": "[]", "limit": 1, **Filters().parameters()}, ["SCAN entries"] * 2),
        ("cards", {"pks": "[]"}, []),
        ("results", {"pks": "[]"}, []),
        ("variants", {"error_ids": "[]"}, []),
        ("workarounds", {"pks": "[]"}, []),
        ("dead_ends", {"pks": "[]"}, []),
        ("entry_by_id", {"id": ""}, []),
        ("problems", {"entry": 1}, []),
        ("siblings", {"pk": 1}, []),
    ],
)
def test_no_table_is_scanned(sample_db: Path, name: str, parameters: dict[str, object], scans: list[str]) -> None:
    connection = sqlite3.connect(sample_db)
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {engine(name)}", parameters)]
    connection.close()
    harmless = ("json_each", "given", "word", "CONSTANT", "LIST SUBQUERY", "(subquery", "SUBQUERY")
    found = [step for step in plan if step.startswith("SCAN") and not any(part in step for part in harmless)]
    assert found == scans, plan


def test_every_statement_of_the_engine_is_used() -> None:
    code = "".join(path.read_text() for path in FOLDER.glob("*.py"))
    plugins = "".join(path.read_text() for path in (FOLDER.parent / "plugins").rglob("*.py"))
    for path in (FOLDER / "engine").glob("*.sql"):
        name = path.stem.removesuffix("_filtered")
        assert f'"{name}"' in code + plugins, name


@pytest.mark.parametrize("before", ["\x1b[31m", " ", "\t", "\0", "\n"])
def test_what_a_terminal_puts_before_a_message_changes_nothing(file: Engine, before: str) -> None:
    for document in sample()[::10]:
        plain = file.search(document["signature"])
        other = file.search(before * 3_000 + document["signature"] + before * 3_000)
        assert [(one.id, one.score) for one in other.results] == [(one.id, one.score) for one in plain.results]


@pytest.mark.parametrize("run", [" ", "\t", "\0", "\x1b[31m", " \0"])
def test_a_run_of_blanks_in_a_line_comes_to_an_end(file: Engine, run: str) -> None:
    """Half a million take hours where an expression tries each of them anew."""
    document = sample()[0]
    text = f"started{run * (500_000 // len(run))}here\n{document['signature']}"
    assert file.search(text).results[0].signature == document["signature"]


@pytest.mark.parametrize("n", ["3", None, 2.5])
def test_a_wrong_argument_is_not_the_files_fault(file: Engine, n: object) -> None:
    with pytest.raises(TypeError, match="from 1 to 100"):
        file.search("error", n=n)  # type: ignore[arg-type]


def test_a_closed_engine_says_so(sample_db: Path) -> None:
    engine = culdesac.open(sample_db)
    engine.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        engine.search("error")


@pytest.mark.parametrize("words", ["help {}", "worker {}", "{} while training resnet", "{} error", "{} again please"])
def test_words_around_a_message_of_stop_words_do_not_hide_it(corpus_db: Path, words: str) -> None:
    """Out of memory is stop words and a common one: nothing but the words in a row."""
    with culdesac.open(corpus_db) as engine:
        first = engine.search(words.format("CUDA out of memory")).results[0]
        assert "out of memory" in first.signature.lower() or "oom" in first.id
