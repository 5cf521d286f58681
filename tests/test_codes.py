"""What a query says besides words: codes, success, the end of a long log; and that no text hangs a search."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import culdesac
from culdesac.queries.asking import asks_how
from culdesac.queries.codes import codes, differ, named
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.query import MOST_WORDS
from tests.conftest import ingest
from tests.test_invariants import write_lines

ENTRIES = {
    "docker/exit-137": "Container exited with code 137 (OOMKilled)",
    "rust/e0597": "error[E0597]: borrowed value does not live long enough",
    "java/npe": "java.lang.NullPointerException",
    "java/runtime": "java.lang.RuntimeException: failed to start java.lang.Thread",
    "react/map": "TypeError: Cannot read properties of undefined (reading 'map')",
    "node/arg-type": "TypeError [ERR_INVALID_ARG_TYPE]: argument must be of type string",
    "node/refused": "Error: connect ECONNREFUSED 10.0.0.1:5432",
    "cuda/cudnn": "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED",
    "php/variable": "PHP Warning: Undefined variable: errors and warnings",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("codes")
    documents = [{"id": entry_id, "signature": signature} for entry_id, signature in ENTRIES.items()]
    ingest(folder / "e.db", write_lines(folder / "e.jsonl", documents))
    with culdesac.open(folder / "e.db") as engine:
        yield engine


@pytest.mark.parametrize(
    ("text", "family", "number"),
    [("error e0597 borrowed", "e", "0597"), ("exited with code 137", "code", "137"), ("exit 137", "code", "137"),
     ("http 404 not found", "status", "404"), ("errno 28 no space", "errno", "28"), ("ts2786 cannot", "ts", "2786")],
)  # fmt: skip
def test_codes_have_families(text: str, family: str, number: str) -> None:
    assert codes(text.split())[family] == {number}


@pytest.mark.parametrize(
    ("text", "found"),
    [("[ERR_REQUIRE_ESM]: require()", {"ERR": {"ERR_REQUIRE_ESM"}}),
     ("CUBLAS_STATUS_ALLOC_FAILED when", {"CUBLAS": {"CUBLAS_STATUS_ALLOC_FAILED"}}),
     ("EACCES: EPERM", {"errno": {"EACCES", "EPERM"}}),
     ("ERROR EXCEPTION EOL NODE_ENV MAX_STATUS err_require_esm eacces", {})],
)  # fmt: skip
def test_codes_with_names_have_families_too(text: str, found: dict[str, set[str]]) -> None:
    assert named(text) == found


@given(st.lists(st.text("abe0123456789", min_size=1, max_size=8), max_size=8))
def test_what_has_a_code_in_common_doesnt_differ(words: list[str]) -> None:
    assert not differ(codes(words), codes(words))


@pytest.mark.parametrize(
    ("right", "other"),
    [("container exited with code 137", "container exited with code 139"),
     ("error[E0597]: borrowed value lives", "error[E0716]: borrowed value lives"),
     ("app: [ERR_INVALID_ARG_TYPE]: argument must be of type string",
      "app: [ERR_INVALID_ARG_VALUE]: argument must be of type string"),
     ("app: Error: connect ECONNREFUSED 10.0.0.9:5432", "app: Error: connect ECONNRESET 10.0.0.9:5432"),
     ("app: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "app: cuDNN error: CUDNN_STATUS_MAPPING_ERROR")],
)  # fmt: skip
def test_another_code_of_the_family_speaks_against(file: Engine, right: str, other: str) -> None:
    for query in ("{}", "starting\n{}\ndone"):
        same, different = (file.search(query.format(text)).results[0] for text in (right, other))
        assert same.id == different.id
        assert different.score < same.score
        assert file.candidates(query.format(other), Filters())[1][0].evidence.code == -1.0


@pytest.mark.parametrize(
    "text", ["0 errors, 0 warnings", "12345", "42", "Build succeeded.\n  0 Warning(s)\n  0 Error(s)"]
)
def test_success_and_numbers_ask_for_nothing(file: Engine, text: str) -> None:
    assert not file.search(text).confident


def test_success_beside_a_failure_is_one(file: Engine) -> None:
    assert file.search(f"compiled successfully\n{ENTRIES['react/map']}").confident


@pytest.mark.parametrize("text", ["it doesn't work", "ok", "null", "server error", "Error on line 27", "系统错误"])
def test_vague_words_ask_for_nothing(sample_db: Path, text: str) -> None:
    with culdesac.open(sample_db) as file:
        assert not file.search(text).confident


@pytest.mark.parametrize(
    ("asked", "how"),
    [
        ("how do I install docker on ubuntu", True),
        ("What is a kafka topic?", True),
        ("hi, how to make a pull request on github", True),
        ("如何使用 git rebase", True),
        ("docker 和 podman 有什么区别", True),
        ("how do I fix externally managed environment", False),
        ("how can docker be out of disk space, it has 40 GB and refuses to build", False),
        ("what is ModuleNotFoundError", False),
        ("docker 起不来怎么办", False),
        ("容器一直重启怎么解决", False),
        ("docker build fails on ubuntu", False),
    ],
)
def test_a_question_how_to_do_something_is_about_no_error(file: Engine, asked: str, how: bool) -> None:
    query, _ = file.candidates(asked, Filters())
    assert asks_how(query.text, {word for line in query.lines for word in line.words}) is how


def test_a_code_alone_is_a_question(file: Engine) -> None:
    assert file.search("code 137").results[0].error_id == "docker/exit-137"
    assert file.search("exit code 137").confident
    assert not file.search("137").confident


def test_a_name_in_camel_case_is_asked_for_as_a_whole(tmp_path: Path) -> None:
    documents = [
        {"id": "mongodb/memory", "signature": "Exceeded memory limit", "root_cause": "Sorting needs allowDiskUse."},
        {"id": "elastic/disk", "signature": "Disk watermark: allow more disk use", "root_cause": "The disk is full."},
        *({"id": f"other/{n}", "signature": f"Message number {n}"} for n in range(50)),
    ]
    ingest(tmp_path / "e.db", write_lines(tmp_path / "e.jsonl", documents))
    with culdesac.open(tmp_path / "e.db") as opened:
        assert opened.search("allowDiskUse").results[0].id == "mongodb/memory"
        # A name that the index doesn't have is looked for by its words.
        assert opened.search("watermarkAllowDisk").results[0].id == "elastic/disk"


@pytest.mark.parametrize("around", ["```\n{}\n```", "~~~text\n{}\n~~~\n", "  {}\t", "\n\n{}\n"])
def test_what_a_chat_puts_around_a_text_says_nothing(file: Engine, around: str) -> None:
    for signature in ENTRIES.values():
        plain, quoted = file.search(signature), file.search(around.format(signature))
        assert [(result.id, result.score) for result in quoted.results] == [
            (result.id, result.score) for result in plain.results
        ]


@pytest.mark.parametrize(
    ("said", "well"),
    [
        ("compiled successfully", True),
        ("nothing to commit, working tree clean", True),
        ("0 errors, no issues found", True),
        ("构建成功", True),
        ("没有错误，全部通过", True),
        ("deploy succeeded, but the page stays blank", False),
        ("login succeeds and then the session is gone", False),
        ("the pod is healthy yet never gets traffic", False),
        ("answers that have nothing to do with the question, not one", False),
        ("登录成功之后页面空白", False),
        ("編譯成功，執行時當掉", False),
        ("編譯成功卻無法執行", False),
    ],
)
def test_what_fails_after_a_success_is_a_failure(file: Engine, said: str, well: bool) -> None:
    query, _ = file.candidates(said, Filters())
    assert [line.succeeds for line in query.lines] == [well]


def test_the_line_that_agrees_most_is_the_one(file: Engine) -> None:
    log = 'java.lang.RuntimeException: failed\n\tat App.main\nCaused by: java.lang.NullPointerException: "s" is null'
    _, candidates = file.candidates(log, Filters())
    lines = {one.card.error_id: one.evidence.line for one in candidates}
    assert lines["java/npe"] is not None
    assert lines["java/npe"].number == 3


@pytest.mark.parametrize("place", ["first", "last"])
def test_an_error_at_either_end_of_a_long_log_is_found(file: Engine, place: str) -> None:
    source = Random(3)
    noise = [f"{uuid.UUID(int=source.getrandbits(128))} request {source.randrange(10**9)}" for _ in range(MOST_WORDS)]
    log = [ENTRIES["react/map"], *noise] if place == "first" else [*noise, ENTRIES["react/map"]]
    assert file.search("\n".join(log)).results[0].id == "react/map"


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "aB" * 100_000, "a_" * 100_000, "a." * 100_000, "中" * 50_000, "a 'b" * 50_000]
)
def test_a_long_line_has_few_names(file: Engine, text: str) -> None:
    """One line is read as a question as long as it is short enough to be one: names are looked for in no other."""
    query, _ = file.candidates(text, Filters())
    assert len(query.names) <= 8
    assert all(len(name) <= 10 for name in query.names)
