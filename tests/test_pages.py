"""Entry pages: what is written is read back, and pages of other sites are read as far as they can be understood."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from culdesac.db import dialects, page_layout
from culdesac.db.dialects import FLAT
from culdesac.db.documents import flatten, restore
from culdesac.db.text import has_chinese
from culdesac.ingest.page import PageError, looks_like_page, read_page
from culdesac.plugins.web.entry_page import render
from culdesac.queries.page import markdown
from tests.corpora import public, sample, seed
from tests.needs import shared

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
_TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.sampled_from("ab `~#*_-|<>[]()!&;:.\\\n\t\"'1%/中：")),
    st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t")),
)
_NUMBER = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.floats(0, 1))
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), _NUMBER, _TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXT, inner, max_size=3)),
    max_leaves=8,
)


def _values(part: Any) -> Any:
    """Values for a part of the dialect, as an author could give them."""
    match part:
        case dialects.Text():
            return _TEXT
        case dialects.Number():
            return _NUMBER
        case dialects.Strings() | dialects.Aligned():
            return st.lists(_TEXT, max_size=3)
        case dialects.Items():
            return st.lists(_object(part.parts), max_size=3)
        case dialects.Group():
            return _object(part.parts)
        case dialects.Mapping():
            return st.dictionaries(_TEXT, _JSON, max_size=3)
    return st.dictionaries(_TEXT, _TEXT, max_size=3)


def _object(parts: Any) -> Any:
    return st.fixed_dictionaries({}, optional={part.key: _values(part) for part in parts})


_REQUIRED = st.fixed_dictionaries({"id": _TEXT.filter(bool), "signature": _TEXT.filter(bool)})


@given(_object(FLAT.parts), _REQUIRED)
@settings(max_examples=150)
def test_any_document_reads_back(document: dict[str, Any], required: dict[str, Any]) -> None:
    # Inside an object with free keys a page does tell null and nothing apart; the top of it is pruned.
    assert_reads_back(document | required)


# -- What a browser or a renderer makes of them ------------------------------------------------------------------------


def _shape(page: str) -> list[str]:
    """The headings of a rendered page; no HTML, and links to http(s) only."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").parse(page)
    headings: list[str] = []
    for token in tokens:
        assert token.type != "html_block", token.content
        headings.extend([token.tag] if token.type == "heading_open" else [])
        for child in token.children or ():
            assert child.type not in ("html_inline", "image", "em_open", "s_open"), token.content
            if child.type == "link_open":
                assert str(child.attrs["href"]).startswith(("http://", "https://"))
    return headings


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_of_hostile_text_has_only_our_headings(text: str) -> None:
    for lang in ("en", "zh"):
        page = markdown(everywhere(text), lang=lang)  # type: ignore[arg-type]
        headings = _shape(page)
        assert headings.count("h1") == 1
        # A Chinese page says it where there is no Chinese.
        assert headings.count("h2") == 12 + (lang == "zh" and not has_chinese(text))
        assert len(headings) == len([line for line in _unfenced(page) if line.startswith("#")])


def _unfenced(page: str) -> list[str]:
    lines: list[str] = []
    fence = ""
    for line in page.split("\n"):
        marks = re.match(r" *(?:[-0-9.]+ )?(`{3,})(text)?$", line)
        if marks and not fence and marks[2]:
            fence = marks[1]
        elif marks and fence == marks[1] and not marks[2]:
            fence = ""
        elif not fence:
            lines.append(line)
    return lines


@given(_TEXT)
@settings(max_examples=150)
def test_markdown_of_any_text_has_no_markup_of_its_own(text: str) -> None:
    assert _shape(markdown(filled(root_cause=text, tags=[text], aliases=["x"]))).count("h1") == 1


_ELEMENTS = frozenset((
    "a", "aside", "br", "code", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "header", "li", "ol", "p", "pre",
    "section", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
))  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_html_of_hostile_text_has_only_our_elements(text: str) -> None:
    page = render(everywhere(text)) + render(everywhere(text), "zh")
    tree = LexborHTMLParser(f"<!doctype html><body><main>{page}</main></body>")
    names = {node.tag for node in tree.css("article *")}
    assert names <= _ELEMENTS
    assert [node.tag for node in tree.css("body > *, main > *")] == ["main", "article", "article"]
    for link in tree.css("a"):
        assert re.match("https?://", link.attributes["href"] or "")
        assert link.attributes["rel"] == "nofollow noopener"
    attributes = {name for node in tree.css("article, article *") for name in node.attributes}
    assert attributes <= {"class", "data-text", "hidden", "lang", "scope", "start", "href", "rel"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_only_the_article_of_a_document_is_read(lang: Any) -> None:
    document = sample()[3]
    chrome = "<h1>Site</h1><p>ID: other/entry</p><h2>Tags</h2><ul><li>no</li></ul><article>A card</article>"
    body = f"<body>{chrome}{render(document, lang)}{chrome}</body>"
    page = f"<!doctype html><html><head><title>x</title></head>{body}</html>"
    assert pruned(read_page(page)) == pruned(document)


def test_line_ends_of_windows_read_back() -> None:
    document = sample()[3]
    for write in WRITERS.values():
        assert pruned(read_page("\ufeff" + write(document).replace("\n", "\r\n"))) == pruned(document)


# -- Pages of other sites ----------------------------------------------------------------------------------------------


def _seed_page() -> str:
    return shared("seeds/000_56a9016b445d641d.txt").read_text(encoding="utf-8")


def test_the_page_of_the_seed() -> None:
    text = _seed_page()
    document = read_page(text)
    fences = re.findall(r"^```\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE)
    assert len(fences) == 3
    rest = {"introduced": None, "deprecated": None, "removed": None, "behavior_change": None, "status": "active"}
    expected = {
        "id": "pytorch/nccl-communicator-aborted-watchdog-timeout",
        "domain": "pytorch",
        "category": "network_error",
        "verification_tier": "ai_generated",
        "resolvable": "true",
        "fix_success_rate": 0.78,
        "confidence": 0.86,
        "evidence_count": 1,
        "first_seen": "2023-07-01",
        "root_cause_type": "generic",
        "official_doc_url": "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
        "versions": [{"version": v} | rest for v in ("torch>=1.13", "NCCL 2.16", "CUDA 11.8", "Slurm 23.02")],
        "workarounds": [
            {"action": fence, "success_rate": rate, "how": fence, "sources": []}
            for fence, rate in zip(fences, (0.85, 0.8, 0.75), strict=True)
        ],
        "workarounds_zh": fences,
    }
    assert {key: document[key] for key in expected} == expected
    assert document["signature"].startswith("RuntimeError: NCCL communicator was aborted on rank 2. Original")
    assert document["signature"].endswith("watchdog callback timed out.")
    assert document["root_cause"].endswith("or a single slow node.")
    assert document["root_cause_zh"].startswith("NCCL 看门狗回调超时")
    assert [end["fail_rate"] for end in document["dead_ends"]] == [0.8, 0.9, 0.95]
    assert document["dead_ends"][0]["action"] == "Increasing NCCL_TIMEOUT environment variable to a very large value"
    assert document["dead_ends"][2]["why_fails"].startswith("Disabling the watchdog hides the error")
    assert looks_like_page(text)


def _sections(text: str) -> dict[str, str]:
    titles = "Version Compatibility|Root Cause|Official Documentation|Workarounds|中文步骤|Dead Ends"
    pieces = re.split(rf"^({titles})\n", text, flags=re.MULTILINE)
    return {"": pieces[0]} | dict(zip(pieces[1::2], pieces[2::2], strict=True))


def test_other_forms_of_the_same_page() -> None:
    text = _seed_page()
    expected = read_page(text)
    pieces = _sections(text)
    turned = pieces[""] + "".join(f"{title}\n{body.rstrip()}\n\n" for title, body in reversed(pieces.items()) if title)
    chrome = "Error Library\nHome · Search\n\npytorch\n\n"
    forms = {
        "line ends": text.replace("\n", "\r\n"),
        "hard blanks": text.replace("% success ", "%\u00a0success\u00a0").replace("78%Fix Rate", "78%\u00a0Fix Rate"),
        "value above name": re.sub(r"^(\S+?)(Fix|Confid|Evid|First)", r"\1\n\2", text, flags=re.MULTILINE),
        "chrome before": chrome + text,
        "chrome after": text.rstrip() + "\n\nWas this helpful?\nYes No\n\n© 2024 Error Library\n",
        "another order": turned,
    }
    for name, form in forms.items():
        assert read_page(form) == expected, name


def test_a_page_with_little_on_it() -> None:
    page = "pytorch true\n\nBoom\n\nID: pytorch/boom\n\n85.5%Fix Rate\n\nDead Ends\n\n80% fail\nBecause\nof this.\n"
    expected = {
        "id": "pytorch/boom",
        "signature": "Boom",
        "domain": "pytorch",
        "resolvable": "true",
        "fix_success_rate": 0.855,
        "dead_ends": [{"fail_rate": 0.8, "why_fails": "Because\nof this."}],
    }
    assert pruned(read_page(page)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pip", {"domain": "pip"}),
        ("pip false", {"domain": "pip", "resolvable": "false"}),
        ("pip human_verified", {"domain": "pip", "verification_tier": "human_verified"}),
        ("pip build_error", {"domain": "pip", "category": "build_error"}),
        ("pip build_error true", {"domain": "pip", "category": "build_error", "resolvable": "true"}),
        ("Some site", {}),
    ],
)
def test_first_lines(line: str, expected: dict[str, str]) -> None:
    assert pruned(read_page(f"{line}\n\nBoom\n\nID: pip/boom\n")) == expected | {"id": "pip/boom", "signature": "Boom"}


def test_html_of_another_site() -> None:
    how = "Raise the limit:\n\nsudo sysctl fs.inotify.max_user_watches=524288"
    page = (PAGES / "foreign.html").read_text(encoding="utf-8")
    assert looks_like_page(page)
    assert pruned(read_page(page)) == {
        "id": "node/enospc-watchers",
        "signature": "ENOSPC: System limit for number of file watchers reached",
        "domain": "node",
        "category": "disk_error",
        "verification_tier": "ai_generated",
        "resolvable": "partial",
        "fix_success_rate": 0.855,
        "evidence_count": 4,
        "first_seen": "2021-05",
        "versions": [{"version": "node>=12", "status": "active", "behavior_change": "a & b"}, {"version": "node 8"}],
        "root_cause": "Every watched file takes one of fs.inotify.max_user_watches.",
        "root_cause_type": "generic",
        "official_doc_url": "https://nodejs.org/api/fs.html",
        "dead_ends": [
            {"action": "Free disk space", "fail_rate": 0.8, "why_fails": "The limit is on watches,\nnot on space."}
        ],
        "workarounds": [
            {"action": how, "how": how, "success_rate": 0.9},
            {"action": "Poll instead", "how": "Set CHOKIDAR_USEPOLLING=1.", "success_rate": 0.7},
        ],
    }


def test_chinese_page_of_another_site() -> None:
    page = (PAGES / "foreign_zh.txt").read_text(encoding="utf-8")
    assert pruned(read_page(page)) == {
        "id": "docker/tls-handshake-timeout",
        "signature": "Error response from daemon: Get https://registry-1.docker.io/v2/: TLS handshake timeout",
        "domain": "docker",
        "category": "network_error",
        "resolvable": "false",
        "fix_success_rate": 0.6,
        "evidence_count": 2,
        "dead_ends": [
            {"fail_rate": 0.8, "why_fails": "重启不会改变网络。\n第二行说明。"},
            {"action": "反复重试", "fail_rate": 0.955, "why_fails": "网络没有恢复之前，每次都会失败。"},
        ],
        "root_cause": "到镜像仓库的连接太慢。",
        "workarounds": [{"action": "配置镜像加速", "how": "配置镜像加速", "success_rate": 0.9}],
        # One workaround and two paragraphs: which of them is the site's, nobody can tell.
        "workarounds_zh": ["在 daemon.json 里\n写入镜像地址。\n\n版权所有 2024"],
    }


def test_a_fence_inside_of_a_step_ends_where_the_heading_ends() -> None:
    how = "Run:\n```bash\nmake\n```\nThen:\n```\nmake test\n```"
    flat = " ".join(how.split())
    page = f"x\n\nBoom\n\nID: x/y\n\nWorkarounds\n\n85% success {flat}\n```\n{how}\n```\n70% success b\n```\nb\n```\n"
    assert [item["how"] for item in read_page(page)["workarounds"]] == [how, "b"]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("一\n\n二\n\n三", ["一", "二", "三"]),
        ("a\n\nb\n\n二\n\nc", ["a\n\nb", "二", "c"]),
        ("一\n\n甲\n\n二\n\n乙", ["一\n\n甲\n\n二\n\n乙"]),
        ("a\n\nb\n\n二\n\n乙\n\n丙", ["a\n\nb", "二\n\n乙\n\n丙"]),
        ("a\n\nb", ["a\n\nb"]),
    ],
)
def test_chinese_steps_are_told_apart_by_the_workarounds(steps: str, expected: list[str]) -> None:
    fences = "\n".join(f"80% success {' '.join(h.split())}\n```\n{h}\n```" for h in ("a\n\nb", "two", "c"))
    page = f"x\n\nBoom\n\nID: x/y\n\nWorkarounds\n\n{fences}\n\n中文步骤\n\n{steps}\n\nRoot Cause\n\nx\n"
    assert read_page(page)["workarounds_zh"] == expected


# -- No page, and pages that mean harm ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "hello", '{"ID": "a/b"}', "ID: 5", "# Title\n\ntext", "<html><p>x</p></html>"])
def test_what_is_no_page(text: str) -> None:
    assert not looks_like_page(text)
    with pytest.raises(PageError, match=r"\Ano ID: .*; give the page of one entry\Z"):
        read_page(text)


def test_a_page_without_a_signature() -> None:
    with pytest.raises(PageError, match=r"\Ano signature: expected the error message above the ID 'a/b'\Z"):
        read_page("ID: a/b\n\nDead Ends\n")


_PIECES = st.sampled_from(
    [*HOSTILE, *markdown(everywhere("x")).split("\n"), *render(everywhere("y"), "zh").split("\n"), "\n\n", "\t", "\x00"]
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("\n".join), st.lists(_PIECES).map(" ".join)))
@settings(max_examples=400)
def test_no_text_breaks_the_reader(text: str) -> None:
    looks_like_page(text)
    for page in (
        text,
        f"ID: a/b\n{text}",
        f"Boom\n\nID: a/b\n\n{text}",
        f"<article class=entry>{text}",
        f"## Tags\n{text}",
    ):
        with contextlib.suppress(PageError):
            flatten(read_page(page), "flat")


_MEGABYTE = 1_000_000
_HEAD = "Boom\n\nID: x/y\n\n"
_HARMFUL = {
    "open tags": "<html>" + "<div>" * 200_000,
    "half tags": "<html>" + '<a "' * 250_000,
    "formatting": "<html>" + "".join(f"<b a={n}>" for n in range(60_000)) + "<p>" * 100_000,
    "comments": "<html>" + "<!--" * 250_000,
    "declarations": "<html>" + "<!" * 500_000,
    "items": "<html><ol>" + "<li>" * 250_000,
    "cells": "<html><table><tr>" + "<td>" * 250_000,
    "articles": "<html>" + "<article>" * 110_000,
    "references": "<html>" + "&#" + "9" * _MEGABYTE,
    "ids": "ID:" * 333_333,
    "id lines": "ID: \n" * 200_000,
    "fences": _HEAD + "```\n" * 250_000,
    "longer fences": _HEAD + "Workarounds\n\n85% success " + "a " * 100_000 + "\n" + "```\n" * 200_000,
    "steps": _HEAD + "Workarounds\n\n" + "85% success a\n```\na\n```\n" * 45_000,
    "dead ends": _HEAD + "Dead Ends\n\n" + "a 85% fail\nb\n\n" * 65_000,
    "digits": _HEAD + "Dead Ends\n\n" + "9" * _MEGABYTE + "% fail",
    "rates": _HEAD + "Dead Ends\n\n" + "85% fai " * 125_000,
    "chinese steps": _HEAD
    + "Workarounds\n\n"
    + "85% success a\n```\na\n\nb\n```\n" * 20_000
    + "\n中文步骤\n\n"
    + "a\n\n" * 150_000,
    "stars": "**ID:** `x/y`\n" + "**" * 500_000,
    "labels": "# x\n\n- **ID:** `x/y`\n\n## Environment\n\n### Hardware\n\n" + "- **a:** b\n" * 90_000,
    "path": "# x\n\n- **ID:** `x/y`\n\n### Hardware\n\n- **a" + "[1]" * 300_000 + ":** b\n",
    "backticks": "# x\n\n- **ID:** `x/y`\n\n## Tags\n\n- " + "`a" * 500_000,
    "table": "# x\n\n- **ID:** `x/y`\n\n## Version Compatibility\n\n| Version |\n" + "|" * _MEGABYTE,
    "blanks": _HEAD + " " * _MEGABYTE + "x",
    "blank lines": "\n" * _MEGABYTE + "x",
    "badges": "x " * 500_000 + "\n\n" + _HEAD,
    "badge lines": "x\n" * 500_000 + "\n\n" + _HEAD,
    "json": "[" + " " * _MEGABYTE,
}


@pytest.mark.parametrize("name", _HARMFUL)
def test_a_megabyte_of_harm_is_read_to_its_end(name: str) -> None:
    """About a second each; what grows with the square of the size takes minutes, and is noticed."""
    text = _HARMFUL[name]
    looks_like_page(text)
    refused = ""
    try:
        document = read_page(text)
    except PageError as error:
        refused, document = str(error), {}
    assert bool(document) != bool(refused)
    assert "\n" not in refused


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
