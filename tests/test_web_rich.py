"""Markdown in entries: what it becomes, what is left alone, and that nothing of any text can run or get lost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from culdesac.plugins.web import rich
from tests.corpora import documents
from tests.test_web_hostile import PAYLOADS

_FIELDS = ("action", "how", "why_fails", "condition", "tradeoff", "distinction", "summary", "root_cause")


def visible(html: str) -> str:
    """What a reader sees, the numbers of lists included."""
    tree = LexborHTMLParser(f"<body>{html}</body>")
    for items in tree.css("ol"):
        number = int(items.attributes.get("start") or 1)
        for item in items.css("li"):
            if item.parent is not None and item.parent.mem_id == items.mem_id:
                item.insert_before(f"{number}. ")
                number += 1
    return tree.body.text(separator=" ") if tree.body else ""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Use `pip install <name>` here.", "Use <code>pip install &lt;name&gt;</code> here."),
        ("See [the docs](https://example.org/a?b=c&d) now", '<a href="https://example.org/a?b=c&amp;d" rel='),
        ("``a ` b`` stays", "<code>a ` b</code> stays"),
    ],
)
def test_a_line(text: str, html: str) -> None:
    assert html in rich.line(text)


@pytest.mark.parametrize(
    "text",
    [
        "rm *.py *.txt", "__init__ and __getitem__", "# comment", "1) a", "Vec<T> or <name>", "a_b_c *d* _e_ **f**",
        "src/**/*.ts and src/**/*.d.ts", "2**8 ** 3", "C:\\temp\\*.log \\*", "&lt;T&gt; &amp; &copy;", "~~no~~",
        "[x](javascript:a)", "[x](data:text/html,a)", "[x](/relative)", "![x](https://example.org/x.png)",
        "<https://example.org>", "https://example.org/a_b_", "one ` backtick", "#include <stdio.h>", "> quote", "a | b",
    ],
)  # fmt: skip
def test_a_line_that_isnt_markdown_is_left_alone(text: str) -> None:
    if "](https" in text:
        # An image is asked of another host: a link to it isn't.
        assert "<img" not in rich.line(text)
    else:
        assert visible(rich.line(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "#include <stdio.h>\nint main(void) {\n    return 0;\n}",
        "# stop it\nsystemctl stop x\n# and start it\nsystemctl start x",
        "- uses: actions/checkout@v4\n  with:\n    fetch-depth: 0\n- run: make",
        "steps:\n  - run: a\n  - run: b",
        "rm *.py\nrm *.txt",
        "a = __init__\nb = 2**8",
        "    four spaces\n    of code",
        "text = re.sub(r'^```json\\n?|```$', '', text.strip()); data = json.loads(text)",
        "docker run -it image",
        "SELECT a FROM b WHERE c = 1;",
        "const s = `x ${y}`;",
        "1. a\n3. c",
        "1. Add:\nnetworks:\n  mynet:\n2. Run it",
        "x" * 30_000,
    ],
)
def test_code_is_shown_as_it_is(text: str) -> None:
    assert rich.block(text) is None


def test_blocks_become_what_they_mean() -> None:
    listed = rich.block(
        "First:\n\n1. Run `a *.py`\n   - one\n2. **Then** read [b](https://example.org)\n\nThat is **all**."
    )
    assert listed is not None
    for part in ("<ol>", "<ul>\n<li>one</li>", "<code>a *.py</code>", "<strong>Then</strong>", "<p>First:</p>"):
        assert part in listed
    fenced = rich.block("## Why\n\nBecause:\n\n```sh\nrm *.py\n# done\n```\n")
    assert fenced is not None
    assert "<p><strong>Why</strong></p>" in fenced
    assert "<pre><code>rm *.py\n# done\n</code></pre>" in fenced
    assert rich.block("Copy it with `x.clone()` first.") == "<p>Copy it with <code>x.clone()</code> first.</p>"
    assert rich.block("先把 `batch_size` 减半。") == "<p>先把 <code>batch_size</code> 减半。</p>"
    assert rich.block("Stop the server, and wait.\nThen start it again with care.") == (
        "<p>Stop the server, and wait.<br>\nThen start it again with care.</p>\n"
    )


def strings(value: Any, key: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for name, inner in value.items() for pair in strings(inner, name)]
    if isinstance(value, list):
        return [pair for inner in value for pair in strings(inner, key)]
    return [(key, value)] if isinstance(value, str) else []


def test_nothing_of_real_entries_is_spoiled() -> None:
    """Over every text of the corpus the only characters that are gone are backticks and the marks of lists."""
    rendered = 0
    for key, text in (pair for document in documents() for pair in strings(document)):
        if key not in _FIELDS:
            continue
        shown = rich.block(text)
        rendered += shown is not None
        for html in (shown, rich.line(text)):
            if html is not None:
                assert words(visible(html)) == words(text), text
    assert rendered > 1_000


_PIECES = st.sampled_from([
    "1. ", "2. ", "- ", "* ", "\n", "\n\n", "   ", "    ", "`", "```", "~~~", "**", "__", "_", "[", "](", ")", "<", ">",
    "https://", "javascript:", "data:", "//", "!", "# ", "## ", "&", "&#58;", "\\", "|", "---", ": ", '"', "'", "\t",
    "\0", "\r", "\u2028", "<script>", "<img src=x onerror=a>", "</code>", "word", "Use the", "显存", "]: ",
])  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(st.one_of(_PIECES, st.text(max_size=3)), max_size=25).map("".join))


def check(html: str) -> None:
    tree = LexborHTMLParser(f"<body>{html}</body>")
    for node in tree.css("body *"):
        assert node.tag in rich.TAGS
        assert set(node.attributes) <= rich.ATTRIBUTES.get(node.tag or "", set()) | (
            {"rel"} if node.tag == "a" else set()
        )
        assert (node.attributes.get("href") or "https:").lower().startswith(("https:", "http:"))


@given(_TEXTS)
@example("1. a\n2. [x](https://example.org 'title')")
@example("1. a\n2. b\n\n[x]: https://example.org\n")
@example("```x\ny")
def test_any_text_is_safe_and_keeps_its_words(text: str) -> None:
    for whole in (text, f"1. Read this:\n2. {text}", f"```\n{text}\n```\n{text}"):
        for html in (rich.line(whole), rich.line(whole, links=False), rich.block(whole)):
            if html is None:
                continue
            check(html)
            # What isn't seen is the address of a link or the language of a fence.
            hidden = " ".join(re.findall(r'href="([^"]*)"', html)) + " ".join(re.findall(r"[`~]{3}(.*)", whole))
            gone = set(words(whole)) - set(words(visible(html)))
            assert all(word in hidden for word in gone), html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads(payload: str) -> None:
    for text in (payload, f"1. Read `this`\n2. {payload}", f"```\n{payload}\n```\n{payload}", f"Use `it`: {payload}"):
        for html in (rich.line(text), rich.block(text)):
            if html is not None:
                check(html)
