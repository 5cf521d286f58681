"""The checks of regexes: what a pattern requires is read off it, and a hostile one is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from culdesac.db.documents import flatten
from culdesac.ingest import checks
from culdesac.ingest.checks import check_entry
from culdesac.ingest.checks.patterns import read_pattern, read_plain
from culdesac.ingest.checks.regexes import LONGEST_PATTERN, compile_finder
from tests import corpora
from tests.test_checks import TEXT, TODAY, changed
from tests.test_checks_across import entry, found_across


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


@given(TEXT, TEXT)
def test_any_text_is_a_pattern(pattern: str, text: str) -> None:
    check_entry(flatten(changed(regex=pattern, signature=text + "-")), TODAY)
