"""Our own entry pages: what is written is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from culdesac.db import dialects, page_layout
from culdesac.db.dialects import FLAT
from culdesac.db.documents import flatten, restore
from culdesac.ingest.page import looks_like_page, read_page
from culdesac.plugins.web.entry_page import render
from culdesac.queries.page import markdown
from tests.corpora import public, sample, seed

Write = Callable[[dict[str, Any]], str]
PAGES = Path(__file__).parent / "pages"
WRITERS: dict[str, Write] = {
    "markdown-en": lambda document: markdown(document, lang="en"),
    "markdown-zh": lambda document: markdown(document, lang="zh"),
    "html-en": lambda document: render(document, "en"),
    "html-zh": lambda document: render(document, "zh"),
}
MINIMAL = {"id": "x/y", "signature": "Boom"}


def pruned(value: Any) -> Any:
    """A value as a page can tell it: without members that are nothing."""
    if isinstance(value, dict):
        members = {key: pruned(member) for key, member in value.items()}
        return {key: member for key, member in members.items() if member not in (None, "", [], {})}
    return [pruned(member) for member in value] if isinstance(value, list) else value


def typed(value: Any) -> Any:
    """A value in which true and 1 differ."""
    if isinstance(value, dict):
        return {key: typed(member) for key, member in value.items()}
    if isinstance(value, list):
        return [typed(member) for member in value]
    return (isinstance(value, bool), value)


def assert_reads_back(document: dict[str, Any]) -> None:
    expected = typed(pruned(document))
    for name, write in WRITERS.items():
        page = write(document)
        assert typed(pruned(read_page(page))) == expected, f"{name}\n{page}"
        assert looks_like_page(page)


def filled(**more: Any) -> dict[str, Any]:
    return MINIMAL | more


# -- Our own pages -----------------------------------------------------------------------------------------------------


def test_every_field_has_a_label() -> None:
    places = [section.place for section in page_layout.SECTIONS if section.place]
    fields = [*page_layout.HEAD, *(f for s in page_layout.SECTIONS if not s.place for f in s.fields)]
    named = {place[0] for place in places} | {field.key for field in fields} | {"root_cause_type"}
    # A page in Chinese has the Chinese in the place of the root cause, and what it was made from beside it.
    assert {part.key for part in FLAT.parts} == named - {"root_cause_original"}


def test_no_label_means_two_things() -> None:
    for fields in (page_layout.HEAD, *(section.fields for section in page_layout.SECTIONS)):
        keys = [key for field in fields for key in page_layout.keyed(field.label)]
        assert len(keys) == len(set(keys))
    keys = [key for section in page_layout.SECTIONS for key in page_layout.keyed(section.label)]
    assert len(keys) == len(set(keys))


def test_sample_and_seed_read_back() -> None:
    for document in [*sample(), seed()]:
        assert_reads_back(document)


def test_public_entries_read_back() -> None:
    pairs = ((WRITERS["markdown-en"], WRITERS["html-zh"]), (WRITERS["markdown-zh"], WRITERS["html-en"]))
    for number, nested in enumerate(public()):
        document = restore(flatten(nested), "flat")
        expected = pruned(document)
        for write in pairs[number % 2]:
            assert pruned(read_page(write(document))) == expected, document["id"]


def test_read_documents_have_the_keys_of_the_seed() -> None:
    document = seed()
    assert list(read_page(markdown(document))) == list(document)
    assert restore(flatten(read_page(markdown(document)))) == read_page(markdown(document))


#: Texts that mean something to Markdown, to HTML, or to the grammar of our own pages.
HOSTILE: list[str] = json.loads((PAGES / "hostile.json").read_text(encoding="utf-8"))


def everywhere(text: str) -> dict[str, Any]:
    """A document with the text in every place that holds text."""
    texts = {part.key: text for part in FLAT.parts if isinstance(part, dialects.Text)}
    edge = dict.fromkeys(("error_id", "condition", "distinction", "typical_delay"), text)
    step = {"action": text, "condition": text, "sources": [text, "https://a.b/c", text]}
    return texts | {
        "versions": [
            dict.fromkeys(("version", "introduced", "deprecated", "removed", "behavior_change", "status"), text)
        ],
        "os_specific": {text: text, "linux": "x"},
        "dead_ends": [step | {"why_fails": text, "common_misconception": text, "fail_rate": 0.8}, {"why_fails": text}],
        "workarounds": [
            step | {"how": text, "tradeoff": text, "success_rate": 0.855},
            {"action": text, "how": f"{text} "},
            {"action": f" {text}", "how": text},
            {"action": text},
            {"how": text},
            {"condition": text},
            {},
        ],
        "workarounds_zh": [text, "", f"{text}\n"],
        "transition_graph": {
            "leads_to": [edge, {"error_id": "a/b"}],
            "preceded_by": [{"error_id": text, "probability": 0.1}],
            "frequently_confused_with": [{}, edge],
        },
        "environment": {"hardware": {text: text, "gpus": [text, {text: [text]}]}, "additional": {"a": {text: text}}},
        "tags": [text, "", text],
        "aliases": [text],
    }


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_reads_back_from_every_field(text: str) -> None:
    assert_reads_back(everywhere(text))


@pytest.mark.parametrize(
    "more",
    [
        {"workarounds": [{"action": "a b", "how": "a\nb"}]},
        {"workarounds": [{"action": "a b", "how": "a b "}]},
        {"workarounds": [{"action": "a\nb", "how": "a b"}]},
        {"workarounds": [{"action": "a…", "how": "a b c"}]},
        {"workarounds": [{"action": "a", "how": "a"}], "workarounds_zh": ["一", "二", "三"]},
        {"workarounds": [{"action": "a"}, {"action": "b"}], "workarounds_zh": ["一"]},
        {"workarounds_zh": ["一\n\n二", "", "三"]},
        {"workarounds": [{"action": "a b", "how": "a\nb"}, {"how": "c"}, {}], "workarounds_zh": ["一", "二\n三", "四"]},
        {"workarounds": [{"action": "a", "how": "a"}, {"action": "b", "how": "c"}], "workarounds_zh": ["一", ""]},
        {"workarounds": [{"action": "a"}, {"action": "b…", "how": "b c"}], "workarounds_zh": ["", "操作：二"]},
        {"workarounds": [{"action": "a", "success_rate": 0.1}, {"success_rate": 0.9}], "workarounds_zh": ["一", "二"]},
        {"root_cause": "Type: x", "root_cause_zh": "类型：原因", "root_cause_type": "generic"},
        {"root_cause": "a\n\nb", "root_cause_zh": "中文", "root_cause_type": "generic"},
        {"workarounds_zh": [""]},
        {"dead_ends": [{"action": "", "why_fails": "why", "fail_rate": 0.8}]},
        {"dead_ends": [{"fail_rate": 0}, {"fail_rate": 1}, {"fail_rate": 1.0}, {"fail_rate": -0.5}]},
        {"versions": [{}]},
        {"versions": [{}, {"version": "a\nb"}, {"status": "active"}]},
        {"root_cause_zh": "原因"},
        {"root_cause_type": "generic"},
        {"environment": {"additional": {"x": "y"}}},
        {
            "environment": {
                "hardware": {"a": True, "b": False, "c": 1, "d": 1.0, "e": "1", "f": "true", "g": [None, ""]}
            }
        },
        {"environment": {"hardware": {"a": [[], {}, [[1]], {"b": {"c": []}}], "a.b": "x", "a[1]": "y", "": "z"}}},
    ],
)
def test_shapes_read_back(more: dict[str, Any]) -> None:
    assert_reads_back(filled(**more))


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        (0.855, "85.5%"),
        (0.29, "29%"),
        (0.57, "57%"),
        (1, "100%"),
        (0.0, "0%"),
        (0.1 + 0.2, "30.000000000000004%"),
        (1e-7, "0.00001%"),
        (12.5, "1250%"),
        (2**60 + 1, "115292150460684697700%"),
        (1e300, "1E+302%"),
    ],
)
def test_rates_are_exact(rate: float, shown: str) -> None:
    assert page_layout.show_rate(rate) == shown
    assert page_layout.read_rate(shown) == rate


def test_unknown_fields_are_left_out_and_the_rest_is_kept() -> None:
    document = filled(mystery={"a": 1}, extra="x", tags=["a"])
    for write in WRITERS.values():
        assert "mystery" not in write(document)
        assert pruned(read_page(write(document))) == MINIMAL | {"tags": ["a"]}


def test_an_edge_can_be_a_bare_id() -> None:
    document = filled(transition_graph={"leads_to": ["a/b"]})
    for write in WRITERS.values():
        assert pruned(read_page(write(document)))["transition_graph"] == {"leads_to": [{"error_id": "a/b"}]}


def test_problems_and_variants_are_shown_and_not_read() -> None:
    problem = {"code": "rate", "severity": "warning", "field": "confidence", "message": "## Tags\n<b>"}
    more = {"problems": [problem], "variants": ["x/y/linux"]}
    for page in (markdown(MINIMAL, **more), render(MINIMAL, **more)):  # type: ignore[arg-type]
        assert "x/y/linux" in page
        assert "warning: rate" in page
        assert pruned(read_page(page)) == MINIMAL


def test_prose_stays_readable() -> None:
    text = "Set `NCCL_DEBUG=INFO` in snake_case (see [torch] & C:\\temp), then rerun <now>."
    assert text.replace("<now>", r"\<now>") in markdown(filled(root_cause=text))


def test_pages_of_both_languages_have_their_labels() -> None:
    document = sample()[0]
    for write, words in ((markdown, ("Fix Rate", "Dead Ends")), (render, ("Version Compatibility", "85% success"))):
        assert all(word in write(document, lang="en") for word in words)
        assert not any(word in write(document, lang="zh") for word in words)
    assert "## 无效做法" in markdown(document, lang="zh")


# Letters of the page's own syntax, so that what is made up comes near it.
TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.sampled_from("ab `~#*_-|<>[]()!&;:.\\\n\t\"'1%/中：")),
    st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t")),
)
_NUMBER = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.floats(0, 1))
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), _NUMBER, TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


def _values(part: Any) -> Any:
    """Values for a part of the dialect, as an author could give them."""
    match part:
        case dialects.Text():
            return TEXT
        case dialects.Number():
            return _NUMBER
        case dialects.Strings() | dialects.Aligned():
            return st.lists(TEXT, max_size=3)
        case dialects.Items():
            return st.lists(_object(part.parts), max_size=3)
        case dialects.Group():
            return _object(part.parts)
        case dialects.Mapping():
            return st.dictionaries(TEXT, _JSON, max_size=3)
    return st.dictionaries(TEXT, TEXT, max_size=3)


def _object(parts: Any) -> Any:
    return st.fixed_dictionaries({}, optional={part.key: _values(part) for part in parts})


_REQUIRED = st.fixed_dictionaries({"id": TEXT.filter(bool), "signature": TEXT.filter(bool)})


@given(_object(FLAT.parts), _REQUIRED)
@settings(max_examples=150)
def test_any_document_reads_back(document: dict[str, Any], required: dict[str, Any]) -> None:
    # Inside an object with free keys a page does tell null and nothing apart; the top of it is pruned.
    assert_reads_back(document | required)


@pytest.mark.parametrize("write", list(WRITERS.values()), ids=list(WRITERS))
def test_steps_stand_best_first_and_are_read_in_their_authors_order(write: Write) -> None:
    steps = [{"action": "first", "success_rate": 0.3}, {"action": "second"}, {"action": "third", "success_rate": 0.9}]
    ends = [{"action": "fourth", "fail_rate": 0.5}, {"action": "fifth", "fail_rate": 0.7}]
    document = filled(workarounds=steps, dead_ends=ends)
    page = write(document)
    assert [page.index(name) for name in ("third", "first", "second", "fifth", "fourth")] == sorted(
        page.index(name) for name in ("first", "second", "third", "fourth", "fifth")
    )
    found = read_page(page)
    assert [step["action"] for step in found["workarounds"]] == ["first", "second", "third"]
    assert [end["action"] for end in found["dead_ends"]] == ["fourth", "fifth"]
