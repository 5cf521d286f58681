"""The checks of one entry: a document with one defect gets that code and no other."""

from __future__ import annotations

import copy
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from culdesac.db.documents import flatten
from culdesac.ingest.checks import CODES, CheckOptions, Problem, Severity, check_entry

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


# A NUL keeps a document out.
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=200)


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
