"""Findings as they are told: in the language asked for, and each code explained in the documentation."""

from __future__ import annotations

import json
import re
from pathlib import Path

from culdesac.db.codes import explained
from culdesac.db.documents import flatten
from culdesac.db.messages import translations
from culdesac.ingest.checks import CODES, check_across, check_entry, reference
from tests.conftest import Run
from tests.needs import ROOT
from tests.test_checks import ALONE, TODAY, changed
from tests.test_checks_across import ACROSS, built


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


def test_documentation_is_what_the_code_says() -> None:
    for name, lang in (("checks.md", "en"), ("checks.zh.md", "zh")):
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert page == reference.markdown(lang), f"run: python -m culdesac.ingest.checks.reference {lang} > docs/{name}"  # type: ignore[arg-type]
    for name, code in CODES.items():
        assert name == name.lower().replace("_", "-").strip()
        assert all(line and "\n" not in line and "|" not in line for line in (code.title, code.advice))
