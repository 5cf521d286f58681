"""Stored script: entries whose every text is an attack, on every page of ours and of Datasette that shows them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from datasette.utils import tilde_encode
from selectolax.lexbor import LexborHTMLParser

from culdesac.ingest.sources import Fault
from tests.conftest import ingest
from tests.corpora import sample
from tests.sites import Site

#: Each runs where its place isn't escaped, or not for that place. `xss` is the mark that none may leave as markup.
PAYLOADS = (
    "<script>xss()</script>",
    "</script><script>xss()</script>",
    "\"><img src=x onerror=xss()>",
    "'><svg/onload=xss()>",
    "\" onmouseover=xss() x=\"",
    "' onfocus=xss() autofocus='",
    "` onload=xss() `",
    "</textarea><xss-element>",
    "</pre></code></article><xss-element>",
    "</title><xss-element>",
    "</style><xss-element>",
    "</svg><xss-element>",
    "<!--><xss-element>",
    "]]><xss-element>",
    "<iframe srcdoc='<script>xss()</script>'>",
    "<base href=//xss.example/>",
    "<meta http-equiv=refresh content='0;url=//xss.example'>",
    "<link rel=stylesheet href=//xss.example>",
    "<form action=//xss.example><input autofocus onfocus=xss()>",
    "<a href=javascript:xss()>",
    "<math><mtext><table><mglyph><style><img src=x onerror=xss()>",
    "{{ xss }}{% xss %}",
    "${xss()}",
    "&lt;script&gt;xss()&lt;/script&gt;",
    "&#x3C;script&#x3E;xss()",
    "<scr\x0bipt>xss()</script>",
    "\u2028<xss-element>\u2029",
    "+ADw-script+AD4-xss()",
    "[xss](javascript:xss())",
    "![xss](x\" onerror=\"xss())",
    "<javascript:xss()>",
    "```\n</code></pre><xss-element>\n```",
    # Through Markdown: each is in a text that is read as such.
    "1. a\n2. [xss](javascript:xss())",
    "1. a\n2. [xss](JAVASCRIPT&colon;xss())",
    "1. a\n2. [xss](data:text/html,<script>xss()</script>)",
    "1. a\n2. [xss](https://xss.example/\"onmouseover=xss()//)",
    "1. a\n2. [x](<https://xss.example/> 'title' onload=xss())",
    "1. a\n2. <javascript:xss()> <https://xss.example/\"onload=xss()>",
    "1. a\n2. ![xss](https://xss.example/x.png)",
    "1. a\n2. [xss][1]\n\n[1]: javascript:xss()",
    "1. a\n2. <img src=x onerror=xss()>\n\n<script>xss()</script>",
    "1. a\n2. **<img src=x onerror=xss()>** `<img src=x onerror=xss()>`",
    "```\" onload=xss()\n</code></pre><img src=x onerror=xss()>\n```\n# <svg onload=xss()>",
    "- one\n- <iframe srcdoc='<script>xss()</script>'>\n\n    <script>xss()</script>",
    "Read `<script>xss()</script>` and [this](//xss.example/x) or [that](vbscript:xss()).",
)  # fmt: skip
ADDRESSES = (
    "javascript:xss()",
    "JaVaScRiPt:xss()",
    " javascript:xss()",
    "java\tscript:xss()",
    "data:text/html,<script>xss()</script>",
    "vbscript:xss()",
    "//xss.example/x",
    "https://xss.example/\" onmouseover=\"xss()",
    "https://xss.example/'onfocus='xss()",
    "https://xss.example/><xss-element>",
    "http://user:javascript@xss.example/`onload=xss()`",
    "file:///etc/passwd",
)  # fmt: skip
_KEPT = ("id", "resolvable", "first_seen", "last_confirmed", "last_updated")
_TABLES = ("entries", "search", "workarounds", "dead_ends", "step_sources", "versions", "transitions", "environments",
           "tags", "aliases", "os_notes", "problems", "about", "queries")  # fmt: skip


def poisoned(value: Any, payload: str, address: str, key: str = "") -> Any:
    """A document with every text replaced: addresses where one belongs, else the payload after a word to find."""
    if isinstance(value, dict):
        return {name: poisoned(inner, payload, address, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner, payload, address, key) for inner in value]
    if isinstance(value, str) or value is None:
        return address if key in ("official_doc_url", "url", "sources") else f"findme {payload}"
    return value


def hostile() -> Iterator[dict[str, Any]]:
    """An entry for each payload, with every list filled, and an edge to its neighbour."""
    model = max(sample(), key=lambda document: len(json.dumps(document)))
    step = {"action": "a", "how": "b", "success_rate": 0.5, "condition": "c", "sources": ["s"], "tradeoff": "d"}
    end = {"action": "a", "why_fails": "b", "fail_rate": 0.5, "condition": "c", "sources": ["s"],
           "common_misconception": "d"}  # fmt: skip
    for number, payload in enumerate(PAYLOADS):
        address = ADDRESSES[number % len(ADDRESSES)]
        document = poisoned(
            {**model, "workarounds": [step, {**step, "how": "a"}], "dead_ends": [end, {**end, "action": ""}],
             "tags": ["t"], "aliases": ["t"], "os_specific": {"linux": "note"}, "url": "u", "os": "o", "country": "c",
             "environment": {"hardware": {"gpu": "g"}, "additional": {"more": "m"}}, "unknown": {"deep": ["x"]}},
            payload, address,
        )  # fmt: skip
        document |= {key: model[key] for key in _KEPT if key in model}
        document["id"] = f"hostile/entry-{number // 2}/{number % 2}"
        document["tags"].append(address)
        edge = {
            "error_id": f"hostile/entry-{(number // 2 + 1) % (len(PAYLOADS) // 2)}",
            "condition": payload,
            "distinction": payload,
        }
        document["transition_graph"] = {
            "leads_to": [edge, payload], "preceded_by": [edge], "frequently_confused_with": [edge]
        }  # fmt: skip
        yield document
    for number, address in enumerate(ADDRESSES):
        document = poisoned(model, "plain", address)
        yield document | {key: model[key] for key in _KEPT} | {"id": f"hostile/address-{number}"}
    # An id is a text as well.
    yield {**model, "id": 'hostile/"><xss-element>', "domain": "<xss-element>"}
    yield {**model, "id": "hostile/javascript:xss()", "domain": "javascript:xss()"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of hostile entries, in a file whose name is one."""
    folder = tmp_path_factory.mktemp("hostile")
    source = folder / "'onload=xss() x='.jsonl"
    source.write_text("".join(json.dumps(document) + "\n" for document in hostile()), encoding="utf-8")
    path = folder / "errors.db"
    faults: list[Fault] = []
    ingest(path, source, faults=faults)
    assert faults == []
    found = Site(path)
    yield found
    found.close()


#: What the texts of strangers may become: words, never one of these.
_NEVER = "script:not([src]), iframe, object, embed, base, style, xss-element, form:not(#search), img, math, template"


def problems(text: str, *, ours: bool) -> list[str]:
    """What in a page isn't as its templates have it. Datasette's own pages have scripts and forms of their own."""
    found = []
    never = _NEVER if ours else "iframe, object, embed, base, xss-element, img, math, [src*=xss]"
    tree = LexborHTMLParser(text)
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            address = re.sub(r"[\0-\x20]", "", value or "").lower()
            # Datasette 1.0 has buttons of its own that call its script.
            if (name.startswith("on") and (ours or "xss" in address)) or (name in ("style", "srcdoc") and ours):
                found.append(f"{node.tag} has {name}")
            if name in ("href", "src", "action", "formaction", "xlink:href") and not address.startswith(
                ("/", "http://", "https://", "#", "?")
            ):
                found.append(f"{node.tag} {name}={value!r}")
            if name in ("src", "action", "formaction") and (urlsplit(address).netloc or address.startswith("//")):
                found.append(f"{node.tag} {name}={value!r}")
            if name == "href" and address.startswith("//"):
                found.append(f"{node.tag} {name}={value!r}")
    found += [f"an element {node.html}" for node in tree.css(never)]
    found += [f"a script {node.text()[:80]}" for node in tree.css("script") if "xss()" in node.text()]
    found += [f"a meta {node.html}" for node in tree.css("meta[http-equiv]")]
    return found


def test_our_pages(web: Site) -> None:
    ids = [document["id"] for document in hostile()]
    paths = ["/?lang=en", "/?lang=zh", "/overview", "/overview?lang=zh", "/search?q=findme", "/search?q=findme&page=2"]
    paths += [f"/search?q={quote('findme ' + payload, safe='')}&lang=zh" for payload in PAYLOADS]
    paths += [f"/search?q=findme&{facet}={quote(PAYLOADS[2], safe='')}" for facet in ("domain", "os", "lang", "n")]
    paths += [f"/search?os={quote('findme ' + payload, safe='')}" for payload in PAYLOADS]
    paths += [f"/entry/{quote(payload, safe='')}" for payload in PAYLOADS]
    paths += [f"/nosuch/{tilde_encode(payload)}" for payload in PAYLOADS]
    paths += [f"/entry/{quote(name)}{lang}" for name in ids for lang in ("", "?lang=zh")]
    for path in paths:
        answer = web.get(path)
        assert answer.status_code in ((400,) if "&n=" in path else (200, 404)), path
        assert not path.startswith("/search?os=") or answer.text.count('<li class="result') >= 1
        assert problems(answer.text, ours=True) == [], path
        assert "/entry/hostile/entry" not in path or "xss" in answer.text
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers


def test_a_posted_search(web: Site) -> None:
    for often in (8, 200):
        text = "findme " + " ".join(PAYLOADS) * often
        answer = web.post("/search", data={"q": text, "set": f"domain={PAYLOADS[2]}"})
        if answer.status_code == 303:
            answer = web.get(answer.headers["location"])
        assert answer.status_code == 200
        assert problems(answer.text, ours=True) == []


def test_datasettes_pages(web: Site) -> None:
    paths = ["/errors", *(f"/errors/{table}?_size=max" for table in _TABLES)]
    paths += [f"/errors/entries?_search={quote(payload)}" for payload in PAYLOADS[:6]]
    paths += [f"/errors/entries/{pk}" for pk in range(1, len(list(hostile())) + 1)]
    paths += [f"/errors/{table}/1" for table in ("workarounds", "dead_ends", "transitions", "problems", "step_sources")]
    paths += ["/errors/data_problems", "/errors/best_workarounds?q=findme", "/errors/confused_with", "/errors/domains"]
    for path in paths:
        answer = web.get(path)
        assert answer.status_code == 200, path
        assert problems(answer.text, ours=False) == [], path


def test_what_programs_read(web: Site) -> None:
    for path in ("/feed.atom", "/feed.atom?lang=zh", "/sitemap.xml"):
        for node in ET.fromstring(web.get(path).text).iter():
            assert "xss" not in node.tag
    for document in hostile():
        path = f"/entry/{quote(document['id'])}"
        assert web.get(f"{path}.json").headers["content-type"] == "application/json; charset=utf-8"
        markdown = web.get(f"{path}.md")
        assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
        assert markdown.headers["x-content-type-options"] == "nosniff"
    assert "xss" not in "".join(re.findall(r"(?m)^Disallow: (.*)$", web.get("/robots.txt").text))


def test_the_check_finds_what_it_is_for() -> None:
    """Each payload, not escaped, is found in one of the places where a page could have it."""
    missed = [
        payload
        for payload in (*PAYLOADS[:12], *PAYLOADS[14:21])
        if not any(
            problems(frame.replace("@", payload), ours=True)
            for frame in ("<p>@</p>", '<p title="@">', "<p title='@'>", "<textarea>@</textarea>", "<title>@</title>",
                          "<style>@</style>", "<p title=`@`>")
        )
    ]  # fmt: skip
    assert missed == ["` onload=xss() `"] or missed == []
    assert all(problems(f'<a href="{address}">', ours=True) for address in ADDRESSES[:7])
