"""The checks: a document with one defect gets that code and no other, and the work grows as the documents do."""

from __future__ import annotations

import copy
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from culdesac.db.codes import explained
from culdesac.db.documents import flatten
from culdesac.db.messages import translations
from culdesac.ingest import checks
from culdesac.ingest.build import build
from culdesac.ingest.checks import CODES, CheckOptions, Problem, Severity, broad, check_across, check_entry, reference
from culdesac.ingest.checks.patterns import read_pattern, read_plain
from culdesac.ingest.checks.regexes import LONGEST_PATTERN, compile_finder
from culdesac.ingest.checks.sql import statement
from tests import corpora
from tests.conftest import Run
from tests.needs import ROOT

Document = dict[str, Any]
Change = Callable[[Document], Any]

CLEAN: Document = {
    "id": "python/module-not-found",
    "signature": "ModuleNotFoundError: No module named 'requests'",
    "signature_zh": "ModuleNotFoundError：找不到模块 requests",
    "regex": r"ModuleNotFoundError: No module named '\w+'",
    "domain": "python",
    "root_cause": "The package isn't installed in this interpreter.\n\tA new line and a tab are no defect.",
    "root_cause_zh": "当前解释器没有安装该包。",
    "versions": [{"version": "python>=3.6,<4"}, {"version": "pip 23.1"}, {"version": "node ^18.0"}],
    "dead_ends": [{"action": "Reinstall Python", "why_fails": "It isn't broken.", "fail_rate": 1, "sources": []}],
    "workarounds": [
        {"action": "pip install requests", "success_rate": 0.9, "sources": ["https://pypi.org/project/requests/"]},
        {"action": "Activate the virtual environment", "success_rate": 0},
    ],
    "workarounds_zh": ["安装 requests。", "激活虚拟环境。"],
    "transition_graph": {
        "leads_to": [{"error_id": "python/import-error", "probability": 0.5}],
        "preceded_by": [],
        "frequently_confused_with": [],
    },
    "official_doc_url": "https://docs.python.org/3/library/exceptions.html#ModuleNotFoundError",
    "confidence": 0.9,
    "fix_success_rate": 0.85,
    "resolvable": "true",
    "first_seen": "2016",
    "last_confirmed": "2026-02",
    "last_updated": "2026-02-23",
    "evidence_count": 3,
    "tags": ["import"],
    "os_specific": {"linux": "Use a virtual environment."},
}


def put(path: str, value: Any) -> Change:
    """Set what stands at a path such as "workarounds.0.action"."""

    def change(document: Document) -> None:
        *steps, last = path.split(".")
        target: Any = document
        for step in steps:
            target = target[int(step)] if step.isdigit() else target[step]
        target[int(last) if last.isdigit() else last] = value

    return change


def changed(*changes: Change, **values: Any) -> Document:
    document = copy.deepcopy(CLEAN) | values
    for change in changes:
        change(document)
    return document


# (code, field, document)
ALONE: list[tuple[str, str, Document]] = [
    ("id-form", "id", changed(id="python/Module not found")),
    ("id-form", "id", changed(id="python")),
    ("id-form", "id", changed(id="python/a/b/c")),
    ("id-form", "id", changed(id="python/..")),
    ("domain-differs", "domain", changed(domain="pip")),
    ("regex-invalid", "regex", changed(regex="ModuleNotFoundError (")),
    ("regex-invalid", "regex", changed(regex="a)(ModuleNotFoundError")),
    ("regex-unsupported", "regex", changed(regex="ModuleNotFoundError(?!: foo)")),
    ("regex-unsupported", "regex", changed(regex=r"(ModuleNotFoundError).*\1")),
    ("regex-unsupported", "regex", changed(regex="ModuleNotFoundError:?+")),
    ("regex-unsupported", "regex", changed(regex="(?>ModuleNotFoundError)")),
    ("regex-misses-signature", "regex", changed(regex="ImportError.*requests")),
    ("regex-misses-signature", "regex", changed(regex=r"ImportError: \w+")),
    ("regex-too-broad", "regex", changed(regex="")),
    ("regex-too-broad", "regex", changed(regex=".*")),
    ("regex-too-broad", "regex", changed(regex="ModuleNotFoundError|No|")),
    ("regex-too-broad", "regex", changed(regex="^(ModuleNotFoundError)?")),
    ("regex-too-broad", "regex", changed(regex=r"\w+ \d*'")),
    ("regex-costly", "regex", changed(regex=r"ModuleNotFoundError.*.*named")),
    ("regex-costly", "regex", changed(regex=r"ModuleNotFoundError: (\w+\s?)+")),
    ("regex-costly", "regex", changed(regex=r"ModuleNotFoundError: \pL{0,20}")),
    ("regex-costly", "regex", changed(regex=r"ModuleNotFoundError: \pL{0,900}")),
    ("regex-costly", "regex", changed(regex="ModuleNotFoundError" + "|requests" * 2000)),
    ("no-steps", "workarounds", changed(workarounds=[], dead_ends=[], workarounds_zh=[])),
    ("workaround-without-action", "workarounds[1].action", changed(put("workarounds.1.action", " "))),
    ("dead-end-without-action", "dead_ends[0].action", changed(put("dead_ends.0.action", ""))),
    ("not-chinese", "signature_zh", changed(signature_zh="No module")),
    ("not-chinese", "root_cause_zh", changed(root_cause_zh="Not installed")),
    ("not-chinese", "workarounds_zh[1]", changed(put("workarounds_zh.1", "Activate"))),
    ("chinese-steps-count", "workarounds_zh", changed(workarounds_zh=["安装 requests。"])),
    ("chinese-steps-count", "workarounds_zh", changed(workarounds_zh=["安装。", "激活。", "重启。"])),
    ("rate-out-of-range", "fix_success_rate", changed(fix_success_rate=85)),
    ("rate-out-of-range", "confidence", changed(confidence=-0.1)),
    ("rate-out-of-range", "workarounds[0].success_rate", changed(put("workarounds.0.success_rate", 1.01))),
    ("rate-out-of-range", "dead_ends[0].fail_rate", changed(put("dead_ends.0.fail_rate", 70))),
    (
        "rate-out-of-range",
        "transition_graph.leads_to[0].probability",
        changed(put("transition_graph.leads_to.0.probability", 2)),
    ),
    ("count-negative", "evidence_count", changed(evidence_count=-1)),
    ("count-negative", "page_views", changed(page_views=-1)),
    ("number-not-stored", "evidence_count", changed(evidence_count=2**63)),
    ("number-not-stored", "confidence", changed(confidence=10**30 + 1)),
    ("number-not-stored", "workarounds[1].success_rate", changed(put("workarounds.1.success_rate", 2**70 + 1))),
    (
        "number-not-stored",
        "transition_graph.leads_to[0].probability",
        changed(put("transition_graph.leads_to.0.probability", 2**70 + 1)),
    ),
    ("resolvable-unknown", "resolvable", changed(resolvable="yes")),
    ("resolvable-contradicts-rate", "resolvable", changed(resolvable="false", fix_success_rate=0.51)),
    ("resolvable-contradicts-rate", "resolvable", changed(resolvable="true", fix_success_rate=0.1)),
    ("date-form", "first_seen", changed(first_seen="23 Feb 2016")),
    ("date-form", "last_updated", changed(last_updated="2026-02-30")),
    ("date-form", "last_updated", changed(last_updated="2026-02-23T10:00:00Z")),
    ("date-implausible", "last_confirmed", changed(last_confirmed="9999-12-31")),
    ("date-implausible", "first_seen", changed(first_seen="1900")),
    ("date-in-future", "last_updated", changed(last_updated="2026-03-02")),
    ("date-order", "first_seen", changed(first_seen="2026-03", last_updated=None, last_confirmed="2026-02")),
    ("version-unparsed", "versions[0].version", changed(put("versions.0.version", "ros humble"))),
    ("version-unparsed", "versions[0].version", changed(put("versions.0.version", ">=any"))),
    ("version-unparsed", "versions[0].version", changed(put("versions.0.version", "any"))),
    ("version-unparsed", "versions[0].version", changed(put("versions.0.version", "3.x"))),
    ("version-unparsed", "versions[0].version", changed(put("versions.0.version", "HTTP/1.1+"))),
    ("version-unparsed", "versions[0].version", changed(put("versions.0.version", "aws>=2023-01"))),
    ("link-refused", "official_doc_url", changed(official_doc_url="javascript:alert(1)")),
    ("link-refused", "url", changed(url="//example.org/")),
    ("link-refused", "workarounds[0].sources[0]", changed(put("workarounds.0.sources.0", "https://a b.org"))),
    ("link-refused", "dead_ends[0].sources[0]", changed(put("dead_ends.0.sources", ["data:text/html,x"]))),
    ("control-characters", "root_cause", changed(root_cause="red \x1b[31m alert")),
    ("control-characters", "root_cause", changed(root_cause="\x9b31m")),
    ("control-characters", "workarounds_zh[0]", changed(put("workarounds_zh.0", "安装\u202e。"))),
    ("control-characters", "workarounds[0].sources[0]", changed(put("workarounds.0.sources.0", "https://a.org/\x01"))),
    ("control-characters", "tags[0]", changed(tags=["a\x07b"])),
    ("control-characters", "os_specific.linux", changed(os_specific={"linux": "\x08"})),
    ("long-text", "dead_ends[0].why_fails", changed(put("dead_ends.0.why_fails", "a" * 100_001))),
    (
        "edge-to-itself",
        "transition_graph.leads_to[0].error_id",
        changed(put("transition_graph.leads_to.0.error_id", "python/module-not-found")),
    ),
]
TODAY = CheckOptions(as_of="2026-03-01")


def found(document: Document, options: CheckOptions = TODAY) -> list[tuple[str, str]]:
    return [(problem.code, problem.field) for problem in check_entry(flatten(document), options)]


def test_clean_document() -> None:
    assert found(CLEAN) == []


@pytest.mark.parametrize(("code", "field", "document"), ALONE, ids=lambda value: value if type(value) is str else "")
def test_one_defect(code: str, field: str, document: Document) -> None:
    expected = [(code, field)]
    if code == "control-characters" and field.endswith("sources[0]"):
        expected.insert(0, ("link-refused", field))
    assert found(document) == expected


@pytest.mark.parametrize(
    "version",
    [
        "torch>=2.1",
        "torch >=2.1,<3",
        "NCCL 2.16",
        "v1.2",
        "node ~16.3",
        "17+",
        "openssl 1.0.2k",
        ">=1.2 <2",
        "^1 || ^2",
    ],
)
def test_versions_that_everyone_reads(version: str) -> None:
    assert found(changed(put("versions.0.version", version))) == []


def test_nested_document_has_flat_field_names() -> None:
    document = {
        "id": "python/module-not-found/linux",
        "error": {"signature": CLEAN["signature"], "domain": "python"},
        "verdict": {"confidence": 2**70 + 1, "fix_success_rate": 7, "last_updated": "today"},
        "dead_ends": [{"action": "Reinstall"}],
    }
    assert found(document) == [
        ("rate-out-of-range", "fix_success_rate"),
        ("number-not-stored", "confidence"),
        ("date-form", "last_updated"),
    ]


def test_an_entry_shows_a_hundred_problems_at_most() -> None:
    assert len(found(changed(dead_ends=[{"action": ""}] * 1000))) == 100


def entry(slug: str, signature: str = "", regex: str | None = None, **more: Any) -> Document:
    action = [{"action": "Restart"}]
    return {"id": f"x/{slug}", "signature": signature or slug, "regex": regex, "workarounds": action} | more


def edges(**kinds: list[str]) -> Document:
    return {"transition_graph": {kind: [{"error_id": to} for to in targets] for kind, targets in kinds.items()}}


def built(folder: Path, documents: Iterable[Document]) -> sqlite3.Connection:
    """A file with the documents in their order, open for check_across."""
    path = folder / "errors.db"
    path.unlink(missing_ok=True)
    rows = (("test", flatten(document)) for document in documents)
    build(path, rows, {}, (), CheckOptions(), 0, lambda stage, done, total: None)
    return sqlite3.connect(path)


def found_across(
    folder: Path, documents: Iterable[Document], options: CheckOptions = TODAY
) -> list[tuple[int, str, str]]:
    connection = built(folder, documents)
    try:
        return [(pk, problem.code, problem.field) for pk, problem in check_across(connection, options)]
    finally:
        connection.close()


VARIANTS = [entry("c/d", regex="c/d"), entry("c/e", regex="c/d")]
TWINS = [entry("a/linux", "disk full"), entry("a/mac", "disk full"), entry("b", "disk full"), entry("c", "disk fuller")]
CONFIRMED = ["2026-02-01", "2025-01-31", "2024", "2025", "2025-02-01", "9999-12-31", "2099-01-01", "soon", None]
ACROSS: dict[str, tuple[list[Document], list[tuple[int, str]]]] = {
    "duplicate-signature": (TWINS, [(1, "signature"), (2, "signature"), (3, "signature")]),
    "duplicate-regex": (
        [entry("a", "aaaa 1", "aaaa"), entry("b", "aaaa 2", "aaaa"), *VARIANTS],
        [(1, "regex"), (2, "regex")],
    ),
    "regex-matches-others": (
        [
            entry("wide", "Connection Refused", r"connection re[fs]used\b"),
            entry("narrow", "Connection refused by peer", "connection refused by"),
            entry("chinese", "连接被拒绝", "拒绝"),
            *(entry(f"e{n}", f"CONNECTION REFUSED: {n}; 拒绝" if n else "connection refused: 0") for n in range(5)),
        ],
        [(1, "regex")],
    ),
    "edge-dangling": (
        [entry("a", **edges(leads_to=["x/b", "x/lost"], preceded_by=["y"])), entry("b", **edges(preceded_by=["x/a"]))],
        [(1, "transition_graph.leads_to[1].error_id"), (1, "transition_graph.preceded_by[0].error_id")],
    ),
    "edge-one-sided": (
        [
            entry("a/linux", **edges(leads_to=["x/b", "x/c"], frequently_confused_with=["x/b"])),
            entry("a/mac", **edges(preceded_by=["x/c"], frequently_confused_with=["x/a/linux"])),
            entry("b", **edges(preceded_by=["x/a"], frequently_confused_with=["x/a/mac"])),
            entry("c", **edges(leads_to=["x/a/linux"], frequently_confused_with=["x/b"])),
        ],
        [(1, "transition_graph.leads_to[1]"), (4, "transition_graph.frequently_confused_with[0]")],
    ),
    "stale": (
        [entry(f"e{n}", last_confirmed=day) for n, day in enumerate([*CONFIRMED, *(["2026-02-01"] * 3)])],
        [(2, "last_confirmed"), (3, "last_confirmed")],
    ),
}


@pytest.mark.parametrize("code", ACROSS)
def test_one_defect_across(code: str, tmp_path: Path) -> None:
    documents, expected = ACROSS[code]
    assert found_across(tmp_path, documents) == [(pk, code, field) for pk, field in expected]


def test_clean_documents_across(tmp_path: Path) -> None:
    answer = entry("import-error", **edges(preceded_by=[CLEAN["id"]]))
    documents = [CLEAN, answer | {"id": "python/import-error"}, entry("other", "Disk full", "disk full")]
    assert found_across(tmp_path, documents) == []


def test_in_chinese_a_finding_is_its_meaning_and_the_values(tmp_path: Path) -> None:
    findings = [problem for _, _, document in ALONE for problem in check_entry(flatten(document), TODAY)]
    for documents, _ in ACROSS.values():
        connection = built(tmp_path, documents)
        findings += [problem for _, problem in check_across(connection, TODAY)]
        connection.close()
    valued = set()
    for problem in findings:
        told = explained(problem.code, problem.message, "zh")
        meaning, _, values = told.partition("：")
        assert meaning == translations("zh").gettext(CODES[problem.code].title)
        # What a message says beside its values: the start of its advice, and words that none of the values has.
        assert not re.search(r": (?:[a-z]+ )+|\b(?:is|lies|such as|more)\b", values), told
        assert all(value in problem.message for value in values.split("，")), told
        if values:
            valued.add(problem.code)
    assert set(CODES) - valued == {"no-steps", "workaround-without-action", "dead-end-without-action"}


def test_a_message_of_a_stranger_is_left_out_in_chinese() -> None:
    for code, known in CODES.items():
        for message in ("", "nonsense", '"' * 1000):
            told = explained(code, message, "zh")
            assert told.startswith(translations("zh").gettext(known.title))
            assert "nonsense" not in told
    assert explained("of-theirs", "nonsense", "zh") == "nonsense"


def test_the_command_line_mixes_no_languages(tmp_path: Path, culdesac: Run) -> None:
    source = tmp_path / "entries.json"
    source.write_text(json.dumps(changed(last_confirmed="soon", regex="ModuleNotFoundError (")), encoding="utf-8")
    stored = json.loads(culdesac("check", source, "--lang", "zh", "--json").stdout)
    assert {"date-form", "regex-invalid"} <= {finding["code"] for finding in stored}
    lines = culdesac("check", source, "--lang", "zh").stdout.splitlines()
    assert lines[0] == "python/module-not-found: last_confirmed：错误：日期不符合 ISO 8601 格式：soon [date-form]"
    ingested = tmp_path / "errors.db"
    assert culdesac("ingest", source, "--db", ingested).returncode == 0
    shown = culdesac("show", "python/module-not-found", "--db", ingested, "--lang", "zh").stdout
    assert "错误：last_confirmed：日期不符合 ISO 8601 格式：soon [date-form]" in shown
    for finding in stored:
        assert finding["message"] not in "\n".join(lines) + shown


def test_every_code_has_a_case() -> None:
    assert {code for code, _, _ in ALONE} | set(ACROSS) == set(CODES)


@pytest.mark.parametrize(
    ("days", "stale"),
    [
        (["2026-01-01"], 0),
        (["2020-01-01", "2026-01-01"], 1),
        (["2020-01-01", "2020-02-01", "2099-01-01"], 0),
        (["2020-01-01"] * 38 + ["2099-01-01"] * 2, 38),
        (["2020-01-01"] * 40 + ["2099-01-01"] * 2, 0),
        (["2020-01-01", "9999-12-31"], 0),
        (["soon", "2026-02-30"], 0),
    ],
)
def test_newest_needs_company(days: list[str], stale: int, tmp_path: Path) -> None:
    documents = [entry(f"e{n}", last_confirmed=day) for n, day in enumerate(days)]
    assert len(found_across(tmp_path, documents, CheckOptions())) == stale


def test_stale_days_may_be_any_number(tmp_path: Path) -> None:
    documents = [entry("a", last_confirmed="2026-01-01"), entry("b", last_confirmed="2025-12-31")]
    counts = [len(found_across(tmp_path, documents, CheckOptions(stale_days=days))) for days in (0, 1, 10**9)]
    assert counts == [1, 0, 0]


def test_duplicates_name_three_others(tmp_path: Path) -> None:
    connection = built(tmp_path, [entry(f"e{n}", "same") for n in range(6)])
    messages = [problem.message for _, problem in check_across(connection, TODAY)]
    connection.close()
    assert messages[0] == "the same signature as x/e1, x/e2, x/e3 and 2 more: merge them or make one more specific"
    assert messages[5] == "the same signature as x/e0, x/e1, x/e2 and 2 more: merge them or make one more specific"


def test_closing_early_leaves_nothing(tmp_path: Path) -> None:
    connection = built(tmp_path, ACROSS["regex-matches-others"][0] + ACROSS["edge-one-sided"][0])
    for wanted in ("regex-matches-others", "edge-one-sided"):
        problems = check_across(connection, TODAY)
        assert any(problem.code == wanted for _, problem in problems)
        problems.close()  # type: ignore[attr-defined]
        assert connection.execute("SELECT name FROM sqlite_temp_master").fetchall() == []
    connection.close()


def test_pattern_shapes() -> None:
    required = {
        "connection (refused|reset)": (("connection ",),),
        "a.*bcd.*efgh|xyz": (("efgh", "bcd"), ("xyz",)),
        "(foo|barbaz) qu": (("foo",), ("barbaz",)),
        "succes+ful": (("succes", "ful"),),
        "colou?red": (("colo", "red"),),
        r"\bword\b \w+": (("word ",),),
        r"a\.b\(c": (("a.b(c",),),
        r"\Qa.b\E+c": (("a.b",),),
        "[Cc]ode [12]": (("Code ",),),
        "ab{3}c": (("abbbc",),),
        "(ab){2,3}c": (),
        "foo{bar}": (("foo{bar}",),),
        "(?i)abc": (("abc",),),
        "(?P<name>abc)d": (("abcd",),),
        "[]a]bcd": (("bcd",),),
        "[[:alpha:]]bcd": (("bcd",),),
        r"[\]x]bcd": (("bcd",),),
        r"\x{41}bcd\101": (("bcd",),),
        r"\pLabc\p{Greek}": (("abc",),),
        "超时": (("超时",),),
        "超": (),
        "ab|cde": (),
        "(abc)?": (),
        "(abc|)d": (),
        "(abc)*d": (),
        "(abc){0,2}": (),
    }
    assert {pattern: read_pattern(pattern).required for pattern in required} == required
    for pattern in required:
        compile_finder(pattern, read_pattern(pattern))
    nested = ["(a+)+", "(a*)*", r"(?:\w+\s?)*", "(a|b+)*", "((a+))+", "(?:(?:ab)+)+", "(a+){2,}"]
    assert [pattern for pattern in nested if not read_pattern(pattern).nested] == []
    single = [r"(\.\d+)*", "(a+b)+", "(a{1,3})*", "a+b+", "(a+)?", "(a+){2}", r"\(a+\)+"]
    assert [pattern for pattern in single if read_pattern(pattern).nested] == []
    doubled = {".*.*": True, "a.*(.+b)": True, r"\d*\d+": True, r"\w+.*": False, ".*a.*": False, r".*\..*": False}
    assert {pattern: read_pattern(pattern).doubled for pattern in doubled} == doubled


def test_what_a_pattern_requires_is_in_what_it_matches() -> None:
    documents = [(document.get("error") or document) for document in corpora.documents()]
    signatures = [document["signature"] for document in documents]
    for at, document in enumerate(documents):
        pattern = document["regex"]
        shape = read_pattern(pattern)
        finds, _ = compile_finder(pattern, shape)
        for text in (signatures[at], *signatures[at % 40 :: 40]):
            if shape.required and finds(text):
                lowered = text.lower()
                assert any(all(part.lower() in lowered for part in clause) for clause in shape.required), pattern


def test_plain_patterns_answer_as_re2_does() -> None:
    documents = [(document.get("error") or document) for document in corpora.documents()]
    signatures = [document["signature"] for document in documents]
    plain = 0
    for at, document in enumerate(documents):
        pattern = document["regex"]
        if read_plain(pattern) is None or not pattern.isascii():
            continue
        plain += 1
        finds, size = compile_finder(pattern, read_pattern(pattern))
        assert size < checks.regexes.LARGEST_PROGRAM
        for text in (signatures[at], *signatures[at % 40 :: 40]):
            missed = [p for p in checks.regexes.check_regex(pattern, text) if p.code == "regex-misses-signature"]
            assert bool(missed) != finds(text), (pattern, text)
    assert plain > 1500


HOSTILE = [
    "(" * 9_000,
    "(" * 4_000 + ")" * 4_000,
    "(?:" * 900 + "a+" + ")+" * 900,
    "[" * 9_000,
    "[" * 9_000 + "\\",
    "[[:a:]" * 1_500,
    "a{1000}" * 1_000,
    "((((a{100}){100}){100}){100})",
    "x*" * 5_000,
    "(x|" * 3_000,
    ".*" * 5_000,
    "a|" * 5_000,
    "\\",
    "\\Q" + "(" * 9_000,
    r"\p{" * 3_000,
    "a\x01b",
    "\U0001f600{2}",
    "*",
    "(?i)" * 2_000,
    "." * LONGEST_PATTERN + "*",
]


@pytest.mark.parametrize("pattern", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_patterns_are_findings(pattern: str, tmp_path: Path) -> None:
    problems = check_entry(flatten(changed(regex=pattern)), TODAY)
    assert problems
    assert found_across(tmp_path, [entry("a", "a", pattern), entry("b", "a b", "abc")], TODAY) == []


# A NUL keeps a document out.
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=200)


@given(TEXT, TEXT)
def test_any_text_is_a_pattern(pattern: str, text: str) -> None:
    check_entry(flatten(changed(regex=pattern, signature=text + "-")), TODAY)


@given(st.data())
def test_any_value_of_the_right_type(data: st.DataObject) -> None:
    text = TEXT | st.sampled_from(["\x1b[31m", "2026-13", ">=", "http://", "\u202e" * 100])
    number = st.integers() | st.floats(allow_nan=False, allow_infinity=False)

    def redo(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: redo(member) for key, member in value.items()}
        if isinstance(value, list):
            return [redo(member) for member in value]
        return data.draw(text if isinstance(value, str) else number)

    document = redo(CLEAN) | {"evidence_count": data.draw(st.integers())}
    document |= {"id": document["id"] or "a", "signature": document["signature"] or "a"}
    problems = check_entry(flatten(document), TODAY)
    assert problems == check_entry(flatten(document), TODAY)
    for problem in problems:
        assert problem.severity is CODES[problem.code].severity
        assert problem.message.isprintable()
        assert problem.field.isprintable()
        assert len(problem.message) < 400


def test_options_are_checked() -> None:
    for wrong in ("20260301", "2026-3-1", "today", "2026-02-30"):
        with pytest.raises(ValueError, match=wrong):
            CheckOptions(as_of=wrong)
    with pytest.raises(ValueError, match="-1"):
        CheckOptions(stale_days=-1)


def test_without_a_day_nothing_is_in_the_future() -> None:
    assert found(changed(last_updated="2099-01-01"), CheckOptions()) == []


def test_documentation_is_what_the_code_says() -> None:
    for name, lang in (("checks.md", "en"), ("checks.zh.md", "zh")):
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert page == reference.markdown(lang), f"run: python -m culdesac.ingest.checks.reference {lang} > docs/{name}"  # type: ignore[arg-type]
    for name, code in CODES.items():
        assert name == name.lower().replace("_", "-").strip()
        assert all(line and "\n" not in line and "|" not in line for line in (code.title, code.advice))


def statements() -> Iterator[tuple[str, str]]:
    for path in sorted(Path(broad.__file__).parent.glob("*.sql")):
        if not path.name.startswith(("make", "drop", "optimize", "fill_signatures")):
            yield path.stem, path.read_text(encoding="utf-8")


PARAMETERS = {"longest": 1, "most": 1, "texts": "abc", "first": "", "last": "", "limit": ""}


def crowd(count: int) -> Iterator[Document]:
    """Entries that have as much in common as they can: words, signatures, regexes, and a hub that all edges meet in."""
    hub = {"leads_to": ["x/hub"], "preceded_by": ["x/hub"]}
    yield entry("hub", **edges(preceded_by=[f"x/e{n}" for n in range(0, count, 2)]))
    for n in range(count):
        signature = "connection refused: the same" if n % 10 == 0 else f"connection refused: error {n} at port {n % 7}"
        regex = ["connection.*port", f"error {n} at", r"refused: \w+"][n % 3]
        yield entry(f"e{n}", signature, regex, last_confirmed=f"20{n % 25:02}-01-01", **edges(**hub))


@pytest.mark.parametrize(("name", "sql"), list(statements()), ids=lambda value: value.split("\n")[0])
def test_no_scan_inside_a_loop(name: str, sql: str, tmp_path: Path) -> None:
    connection = built(tmp_path, crowd(100))
    # While the file is being built there are no statistics.
    connection.execute("DROP TABLE sqlite_stat1")
    for table in ("make_signatures", "make_edges"):
        connection.execute(statement(table))
    plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", PARAMETERS).fetchall()
    connection.close()
    loops = Counter[int]()
    for _, parent, _, detail in plan:
        assert "AUTOMATIC" not in detail
        if detail.startswith(("SCAN", "SEARCH")):
            # The first loop of a level may be a scan, since it runs once; a correlated one wouldn't.
            assert detail.startswith("SEARCH") or not loops[parent], plan
            loops[parent] += 1
        assert "CORRELATED" not in detail, plan


def test_work_grows_as_the_entries_do(tmp_path: Path) -> None:
    def steps(count: int) -> int:
        connection = built(tmp_path, crowd(count))
        ticks = 0

        def tick() -> int:
            nonlocal ticks
            ticks += 1
            return 0

        connection.set_progress_handler(tick, 100)
        assert sum(1 for _ in check_across(connection, TODAY)) > count
        connection.close()
        return ticks

    few, many = steps(400), steps(1600)
    assert many < 5 * few, (few, many)


def test_candidates_of_one_regex_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broad, "MOST_CANDIDATES", 7)
    connection = built(tmp_path, crowd(40))
    connection.execute(statement("make_signatures"))
    signatures = enumerate(document["signature"] for document in crowd(40))
    connection.executemany(statement("fill_signatures"), signatures)
    assert list(broad._candidates(connection, (("connection",),))) == list(range(1, 8))
    assert list(broad._candidates(connection, (("ab",),))) == list(range(7))
    assert list(broad._candidates(connection, (('"quoted" AND', "NEAR("), ("connection",)))) == list(range(1, 8))
    connection.close()


def test_steps_of_one_regex_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = ACROSS["regex-matches-others"][0]
    assert len(found_across(tmp_path, documents)) == 1
    monkeypatch.setattr(broad, "MOST_STEPS", 1_000)
    assert found_across(tmp_path, documents) == []


def test_known_corpora(corpus_db: Path) -> None:
    connection = sqlite3.connect(f"file:{corpus_db}?mode=ro", uri=True)
    counts = dict(connection.execute("SELECT code, count(*) FROM problems GROUP BY code"))
    severities = dict(connection.execute("SELECT DISTINCT code, severity FROM problems"))
    connection.close()
    assert counts == {
        "dead-end-without-action": 3,
        "duplicate-regex": 64,
        "duplicate-signature": 76,
        "edge-one-sided": 1834,
        "not-chinese": 4,
        "regex-matches-others": 129,
        "regex-misses-signature": 186,
        "regex-too-broad": 4,
        "version-unparsed": 204,
    }
    assert severities == {code: CODES[code].severity.value for code in counts}


def test_a_problem_is_plain_data() -> None:
    problem = check_entry(flatten(changed(confidence=2)), TODAY)[0]
    message = "2.0 is outside 0..1: write a share, 85 % as 0.85"
    assert problem == Problem("rate-out-of-range", Severity.ERROR, "confidence", message)
    assert json.dumps(problem.severity) == '"error"'
