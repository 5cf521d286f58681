"""The command line, as a person or a script uses it: exit codes, what goes where, one line for every failure."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from culdesac.common import decode, read_input
from culdesac.width import width
from tests.conftest import Run
from tests.corpora import sample
from tests.needs import program

LOG = """Step 7/9 : RUN make
gcc -O2 -c main.c
RuntimeError: NCCL communicator was aborted on rank 2. Original reason for failure was: watchdog callback timed out
make: *** [all] Error 1
"""
NCCL = "pytorch/nccl-watchdog-timeout-straggler"


def one_line(text: str) -> str:
    """The only line of an error."""
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text.strip()


def test_a_query_needs_no_verb(culdesac: Run, sample_db: Path) -> None:
    said = culdesac("NCCL communicator was aborted on rank 2 watchdog", CULDESAC_DB=str(sample_db))
    assert NCCL in said.stdout
    verb = culdesac("search", "NCCL communicator was aborted on rank 2 watchdog", CULDESAC_DB=str(sample_db))
    assert verb.stdout == said.stdout


def test_options_before_a_commands_name_are_the_commands(culdesac: Run, sample_db: Path) -> None:
    said = "CUDA out of memory"
    for before, after in (
        (["--db", sample_db, "stats"], ["stats", "--db", sample_db]),
        ([f"--db={sample_db}", "--json", "stats"], ["stats", "--json", f"--db={sample_db}"]),
        (["--db", sample_db, "-n", "1", "search", said], ["search", said, "--db", sample_db, "-n", "1"]),
        (["--lang", "zh", "--db", sample_db, "search", said], ["search", said, "--db", sample_db, "--lang", "zh"]),
        (["--db", sample_db, "show", NCCL, "--format", "json"], ["show", NCCL, "--format", "json", "--db", sample_db]),
    ):  # fmt: skip
        first, second = culdesac(*before), culdesac(*after)
        assert (first.returncode, first.stdout) == (second.returncode, second.stdout), before
        assert first.returncode == 0, first.stderr
    # An option that the command doesn't have is refused, and the value of one is no command's name.
    refused = culdesac("--domain", "docker", "--db", sample_db, "stats")
    assert refused.returncode == 2
    assert "'--domain'" in refused.stderr
    assert '"query": "cuda"' in culdesac("--domain", "stats", "--json", "--db", sample_db, "cuda").stdout
    for searched in (["search", "stats", "--json"], ["--json", "--", "stats"]):
        assert '"query": "stats"' in culdesac(*searched, CULDESAC_DB=str(sample_db)).stdout


def test_stats_fit_a_terminal_and_are_in_chinese(culdesac: Run, sample_db: Path) -> None:
    (path, *lines) = culdesac("stats", "--db", sample_db, "--lang", "zh").stdout.splitlines()
    assert path == str(sample_db)
    assert max(map(width, lines)) <= 80
    assert re.search(r"^  [0-9a-f]{64}$", "\n".join(lines), re.M)
    values = dict(re.split(" {2,}", line) for line in lines if re.search(r"\S {2,}\S", line))
    assert values["分词方式"] == "jieba cut_for_search，不用 HMM"
    assert re.fullmatch(r"NFKC，转小写，去掉变音符号，OpenCC [0-9.]+ 逐字繁转简", values["文本归一"])


def test_piped_input_is_a_query(culdesac: Run, sample_db: Path) -> None:
    done = culdesac(input=LOG, CULDESAC_DB=str(sample_db))
    assert done.returncode == 0
    assert NCCL in done.stdout
    assert "line 3: " in done.stdout
    assert "\x1b" not in done.stdout
    assert culdesac("-", input=LOG, CULDESAC_DB=str(sample_db)).stdout == done.stdout


def test_utf16_from_powershell_is_read(culdesac: Run, sample_db: Path) -> None:
    done = culdesac("search", "--json", input=LOG.encode("utf-16"), CULDESAC_DB=str(sample_db))
    assert json.loads(done.stdout)["results"][0]["id"] == NCCL


@pytest.mark.parametrize(("lang", "note"), [("en", "it was read as GB18030"), ("zh", "已按 GB18030（GBK）读取")])
def test_chinese_in_gbk_is_read_and_said_so(culdesac: Run, sample_db: Path, lang: str, note: str) -> None:
    arguments = ("search", "--json", "--lang", lang, "--db", sample_db)
    query = "训练时报错：RuntimeError: CUDA out of memory，显存不足怎么办？"
    done = culdesac(*arguments, input=query.encode("gbk"))
    assert note in done.stderr
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout) == json.loads(culdesac(*arguments, input=query).stdout)


@pytest.mark.parametrize(("lang", "note"), [("en", "not all of the input is UTF-8"), ("zh", "输入不全是 UTF-8 编码")])
def test_what_is_in_no_known_encoding_is_read_as_far_as_it_goes(
    culdesac: Run, sample_db: Path, lang: str, note: str
) -> None:
    latin, broken = "Größe für CUDA: out of memory".encode("latin-1"), "显存不足: CUDA".encode() + b"\xff"
    for data in (latin, broken, b"\xe4\xb8 CUDA"):
        done = culdesac("search", "--json", "--lang", lang, "--db", sample_db, input=data)
        assert note in done.stderr
        assert "\ufffd" in json.loads(done.stdout)["query"]
    for data in ("显存不足\ufffd".encode(), "\ufeff显存不足".encode(), "显存不足".encode("utf-16")):
        assert culdesac("search", "--lang", lang, "--db", sample_db, input=data).stderr == ""


def test_every_chinese_text_of_the_sample_is_known_in_gbk() -> None:
    texts = [document[field] for document in sample() for field in ("signature_zh", "root_cause_zh")]
    for text in texts:
        data = text.encode("gb18030")
        assert decode(data)[0] == text
        # With a byte that is broken, UTF-8 stays UTF-8.
        assert decode(text.encode() + b"\xff")[0] == text + "\ufffd"
    # What is skipped in the middle leaves no half characters there.
    line = ("显存不足，" * 50 + "\n") * 3_000
    for start in ("", "x", "xx"):
        assert decode((start + line).encode())[1] == ""
        stream = io.BytesIO((start + line).encode())
        assert "\ufffd" not in read_input(stream)


def test_json_has_the_contracts_keys(culdesac: Run, sample_db: Path) -> None:
    answer = json.loads(culdesac("search", "--json", "--db", sample_db, "-n", "2", input=LOG).stdout)
    assert list(answer) == ["query", "qid", "confident", "relaxed", "results"]
    assert answer["query"] == LOG
    first = answer["results"][0]
    assert list(first) == [
        "id", "error_id", "variants", "score", "confident", "signature", "signature_zh", "domain", "resolvable",
        "fix_success_rate", "why", "snippet", "workarounds", "dead_ends",
    ]  # fmt: skip
    assert first["why"] == {"regex": True, "line": 3, "matched": LOG.splitlines()[2]}
    assert [first["snippet"]["text"][a:b] for a, b in first["snippet"]["marks"]][:2] == ["RuntimeError", "NCCL"]
    assert {"action", "how", "success_rate"} <= first["workarounds"][0].keys()
    assert list(first["dead_ends"][0]) == ["action", "why_fails", "fail_rate"]
    assert len(answer["results"]) == 2


def test_took_ms_only_when_asked(culdesac: Run, sample_db: Path) -> None:
    assert "took_ms" in json.loads(culdesac("search", "--json", "--timing", "x", "--db", sample_db).stdout)
    assert "took_ms" not in json.loads(culdesac("search", "--json", "x", "--db", sample_db).stdout)


def test_nothing_known_is_exit_code_1(culdesac: Run, sample_db: Path) -> None:
    done = culdesac("my sourdough starter smells of acetone", "--db", sample_db)
    assert done.returncode == 1
    assert done.stdout.startswith("Nothing known fits.")


def test_a_domain_that_the_file_lacks_is_told(culdesac: Run, sample_db: Path) -> None:
    arguments = ("search", "cuda", "--json", "--db", sample_db)
    missing = culdesac(*arguments, "--domain", "nosuch\x1b")
    assert missing.returncode == 1
    assert json.loads(missing.stdout)["results"] == []
    assert one_line(missing.stderr) == "Note: no entry of this file is of the domain 'nosuch\\x1b'."
    assert culdesac(*arguments, "--domain", "pytorch").stderr == ""


def test_counts_are_told_as_everywhere(culdesac: Run, corpus_db: Path) -> None:
    said = culdesac("stats", "--db", corpus_db).stdout
    assert re.search(r"^count/entries +2,580$", said, re.M)
    assert json.loads(culdesac("stats", "--json", "--db", corpus_db).stdout)["count/entries"] == "2580"


def test_a_stream_of_queries_is_answered_in_order(culdesac: Run, sample_db: Path) -> None:
    lines = [{"qid": "a", "query": LOG}, {"qid": "b"}, "no", {"qid": "c", "query": ""}]
    text = "\n".join(json.dumps(line) for line in lines) + "\n{broken\n\n"
    done = culdesac("search", "--jsonl", "--db", sample_db, input=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [answer["qid"] for answer in answers] == ["a", "b", None, "c", None]
    assert [answer.get("confident") for answer in answers] == [True, None, None, False, None]
    assert answers[1]["error"] == "line 2: query: expected a string"
    good = culdesac("search", "--jsonl", "--db", sample_db, input=json.dumps(lines[0]) + "\n")
    assert good.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["search", "x", "--db", "none.db"], 2, "none.db: no database there yet; make one with: culdesac ingest"),
        (["search", "x"], 2, "make one with: culdesac ingest --sample"),
        (["show", "x", "--db", "none.db"], 2, "no database there yet"),
        (["export", "--db", "text.db"], 2, "text.db: not an SQLite database"),
        (["stats", "--db", "foreign.db"], 2, "foreign.db: an SQLite database, but not one of Culdesac's"),
        (["search", "x", "--db", "newer.db"], 2, "newer.db: schema version 4 is newer than 3"),
        (["search", "x", "--db", "older.db"], 2, "older.db: schema version 2 is older than 3"),
        (["ingest", "--sample", "--db", "older.db"], 2, "older.db: schema version 2 is older than 3"),
        (["ingest", "--sample", "--db", "foreign.db"], 2, "foreign.db: an SQLite database, but not one"),
        (["search", "x", "--db", "cut.db"], 2, "cut.db: "),
        (["serve", "--db", "foreign.db"], 2, "not one of Culdesac's"),
        (["ingest", "nowhere.json", "--db", "new.db"], 2, "nowhere.json: "),
        (["ingest", "--sample", "--db", "folder/"], 2, "folder"),
        (["ingest", "text.db", "--db", "new.db"], 2, "no entry could be loaded"),
        (["remove", "no/such", "--db", "good.db"], 2, "no/such: no entry or error of that id"),
        (["show", "no/such", "--db", "good.db"], 1, "no/such: no entry or error of that id"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_ends_with_one_line(
    culdesac: Run, sample_db: Path, tmp_path: Path, arguments: list[str], code: int, part: str
) -> None:
    (tmp_path / "text.db").write_text("hello")
    (tmp_path / "folder").mkdir()
    shutil.copy(sample_db, tmp_path / "good.db")
    (tmp_path / "cut.db").write_bytes(sample_db.read_bytes()[:5000])
    for name, pragma in (
        ("foreign", "application_id = 7"),
        ("newer", "user_version = 4"),
        ("older", "user_version = 2"),
    ):
        path = tmp_path / f"{name}.db"
        shutil.copy(sample_db, path)
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA {pragma}")
        connection.close()
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.db")}
    done = culdesac(*arguments, cwd=tmp_path)
    assert done.returncode == code
    assert part in done.stderr.splitlines()[-1]
    one_line("\n".join(done.stderr.splitlines()[-1:]) + "\n")
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.db")} == before


def test_the_database_is_looked_for_where_the_help_says(culdesac: Run, sample_db: Path, tmp_path: Path) -> None:
    made = culdesac("ingest", "--sample")
    assert made.returncode == 0
    assert (tmp_path / "home/data/culdesac/errors.db").exists()
    assert "120" in culdesac("stats").stdout
    shutil.copy(sample_db, tmp_path / "errors.db")
    assert culdesac("stats", cwd=tmp_path).stdout.startswith("errors.db")
    assert culdesac("stats", cwd=tmp_path, CULDESAC_DB=str(sample_db)).stdout.startswith(str(sample_db))
    assert culdesac("stats", "--db", "errors.db", cwd=tmp_path, CULDESAC_DB="x").stdout.startswith("errors.db")


def test_show_in_every_form_and_both_languages(culdesac: Run, sample_db: Path) -> None:
    def show(*options: str) -> str:
        done = culdesac("show", NCCL, "--db", sample_db, *options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "NCCL communicator was aborted" in show()
    assert "NCCL 通信器被中止" in show("--lang", "zh")
    assert show("--format", "markdown").startswith("#")
    assert "看门狗" in show("--format", "markdown", "--lang", "zh")
    document = json.loads(show("--format", "json"))
    exported = [json.loads(line) for line in culdesac("export", "--db", sample_db).stdout.splitlines()]
    assert document in exported


def test_the_language_follows_the_locale(culdesac: Run, sample_db: Path) -> None:
    assert "可以这样做" in culdesac(input=LOG, CULDESAC_DB=str(sample_db), LANG="zh_CN.UTF-8").stdout
    assert "可以这样做" not in culdesac(input=LOG, CULDESAC_DB=str(sample_db), LANG="en_US.UTF-8").stdout


def test_rejected_records_are_kept_out_and_told(culdesac: Run, tmp_path: Path) -> None:
    lines = [
        '{"id": "a/b", "signature": "one"}',
        '{"id": "a/c"}',
        "{",
        '{"id": "a/d", "signature": 4}',
        '{"id": "a/e", "signature": "two"}',
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(lines) + "\n")
    done = culdesac("ingest", "x.jsonl", "--db", "errors.db", cwd=tmp_path)
    assert done.returncode == 1
    assert "2 added" in done.stdout
    assert "3 rejected" in done.stdout
    told = done.stderr.splitlines()
    assert [line.split(": ")[0] for line in told] == ["x.jsonl:2", "x.jsonl:3", "x.jsonl:4"]
    assert told[2] == "x.jsonl:4: signature: expected a string, got a number"
    strict = culdesac("ingest", "x.jsonl", "--db", "strict.db", "--strict", cwd=tmp_path)
    assert strict.returncode == 2
    assert not (tmp_path / "strict.db").exists()


def test_prune_removes_what_the_sources_no_longer_hold(culdesac: Run, tmp_path: Path) -> None:
    def ingest(*lines: str, code: int = 0) -> str:
        (tmp_path / "x.jsonl").write_text("\n".join(lines) + "\n")
        done = culdesac("ingest", "x.jsonl", "--db", "errors.db", "--prune", cwd=tmp_path)
        assert done.returncode == code
        return done.stdout

    one, two, new = (f'{{"id": "a/{name}", "signature": "{name}"}}' for name in ("one", "two", "new"))
    assert "2 added" in ingest(one, two)
    assert "1 added, 0 updated, 1 unchanged, 1 removed" in ingest(one, new)
    assert "0 removed, 1 rejected" in ingest(one, "{", code=1)
    assert "1 removed" in ingest(new)


def test_remove_takes_an_entry_or_all_variants(culdesac: Run, tmp_path: Path) -> None:
    ids = ["a/b", "a/b/x", "a/b/y", "a/bc"]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps({"id": name, "signature": name}) + "\n" for name in ids))
    culdesac("ingest", "x.jsonl", "--db", "errors.db", cwd=tmp_path)
    assert "1 removed" in culdesac("remove", "a/b/x", "--db", "errors.db", cwd=tmp_path).stdout
    assert "2 removed" in culdesac("remove", "a/b", "--db", "errors.db", cwd=tmp_path).stdout
    assert [
        json.loads(line)["id"] for line in culdesac("export", "--db", "errors.db", cwd=tmp_path).stdout.splitlines()
    ] == ["a/bc"]


def test_check_finds_and_exits_by_severity(culdesac: Run, tmp_path: Path) -> None:
    bad = {"id": "a/b", "signature": "x", "regex": "(", "dead_ends": [{"action": "", "why_fails": "y"}]}
    (tmp_path / "x.json").write_text(json.dumps(bad))
    done = culdesac("check", "x.json", "--json", cwd=tmp_path)
    assert done.returncode == 1
    codes = {finding["code"] for finding in json.loads(done.stdout)}
    assert "dead-end-without-action" in codes
    (tmp_path / "x.json").write_text(json.dumps(bad | {"regex": "x"}))
    assert culdesac("check", "x.json", cwd=tmp_path).returncode == 0
    assert culdesac("check", "x.json", "--fail-on", "info", cwd=tmp_path).returncode == 1
    assert list(tmp_path.glob("*.db")) == []


def test_a_closed_pipe_is_no_traceback(sample_db: Path) -> None:
    shell = program("sh")
    command = f"{sys.executable} -m culdesac export --db {sample_db} | head -n 1"
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["id"]
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


def test_every_command_has_help_with_an_example(culdesac: Run) -> None:
    from culdesac.cli import cli

    for name in cli.list_commands(None):  # type: ignore[arg-type]
        done = culdesac(name, "--help")
        assert done.returncode == 0
        assert "culdesac " in done.stdout.split("\n", 1)[1], name


def test_searching_loads_no_segmenter_no_datasette_and_no_numpy(sample_db: Path) -> None:
    code = (
        "import sys\nsys.argv = ['culdesac', 'search', '显存不足', '--db', sys.argv[1]]\n"
        "from culdesac.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "bad = {'jieba', 'rjieba', 'babel', 'datasette', 'sqlite_utils', 'opencc', 'platformdirs', 'numpy', 'scipy'}\n"
        "bad &= set(sys.modules)\n"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code, sample_db], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_entries_cannot_drive_the_terminal(culdesac: Run, tmp_path: Path) -> None:
    evil = {
        "id": "a/b",
        "signature": "boom \x1b[2J\x07 boom",
        "root_cause": "\x9b31m",
        "workarounds": [{"action": "\x1b]0;x\x07"}],
    }
    (tmp_path / "x.json").write_text(json.dumps(evil))
    culdesac("ingest", "x.json", "--db", "errors.db", cwd=tmp_path)
    for arguments in (["search", "boom"], ["show", "a/b"], ["show", "a/b", "--lang", "zh"]):
        assert not set(culdesac(*arguments, "--db", "errors.db", cwd=tmp_path).stdout) & {"\x1b", "\x07", "\x9b"}


def test_output_is_coloured_only_for_a_terminal_that_wants_it(sample_db: Path) -> None:
    script = program("script")

    def seen(**environment: str) -> str:
        command = f"{sys.executable} -m culdesac show {NCCL} --db {sample_db}"
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        done = subprocess.run(
            [script, "-qec", command, "/dev/null"], capture_output=True, text=True, check=True, env=kept | environment
        )
        return done.stdout

    assert "\x1b[" in seen()
    assert "\x1b[" not in seen(NO_COLOR="1")


def test_a_page_that_is_unclear_is_told(culdesac: Run, tmp_path: Path) -> None:
    head = "d cat tier true\n\nboom went the thing\n\nID: d/boom\n\n1,234Evidence\n\nWorkarounds\n\n"
    page = f"{head}80% success do it\n```\ndo it\n"
    (tmp_path / "one.txt").write_text(f"{page}\nDead Ends\n\nstare at it 90% fail\nnothing moves\n")
    (tmp_path / "two.txt").write_text(f"{page}```\n\n{page.replace('d/boom', 'd/bang')}```\n")
    done = culdesac("ingest", "one.txt", "two.txt", "--db", "errors.db", cwd=tmp_path)
    assert done.returncode == 0
    told = done.stderr.splitlines()
    assert [line.split(": ")[:2] for line in told[:2]] == [["one.txt:1", "note"], ["two.txt:1", "note"]]
    document = json.loads(culdesac("show", "d/boom", "--format", "json", "--db", "errors.db", cwd=tmp_path).stdout)
    assert document["evidence_count"] == 1234
    checked = culdesac("check", "one.txt", "--json", cwd=tmp_path)
    assert "page-unclear" in {finding["code"] for finding in json.loads(checked.stdout)}
