"""Chinese asked for: what an entry has of it is shown, and where it has none every surface says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from culdesac.ingest.page import read_page
from culdesac.plugins.web.entry_page import render
from culdesac.queries.page import markdown
from tests.conftest import Run, ingest
from tests.sites import Site

NOTE = "此条目没有中文，以下为英文。"
ENGLISH = {
    "id": "make/no-rule-to-make-target",
    "signature": "make: *** No rule to make target 'all'. Stop.",
    "domain": "make",
    "resolvable": "partial",
    "fix_success_rate": 0.8,
    "workarounds": [{"action": "Run make where the Makefile is", "how": "make -C build", "success_rate": 0.9}],
    "dead_ends": [{"action": "Run it again", "why_fails": "Nothing changed", "fail_rate": 0.9}],
}
#: No field for Chinese, but it is in Chinese.
WRITTEN_IN_CHINESE = {"id": "make/chinese", "signature": "make: *** 没有规则可制作目标“everything”。停止。"}
BILINGUAL = {
    **ENGLISH,
    "id": "make/bilingual",
    "signature": "make: *** missing separator. Stop.",
    "signature_zh": "make: *** 遗漏分隔符。停止。",
    "workarounds_zh": ["把行首的空格换成制表符"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chinese")
    source = folder / "entries.jsonl"
    source.write_text("\n".join(map(json.dumps, (ENGLISH, WRITTEN_IN_CHINESE, BILINGUAL))), encoding="utf-8")
    ingest(folder / "errors.db", source)
    return folder / "errors.db"


@pytest.fixture(scope="module")
def web(made: Path) -> Iterator[Site]:
    site = Site(made)
    yield site
    site.close()


def test_the_command_line_says_where_there_is_no_chinese(culdesac: Run, made: Path) -> None:
    for command in (["search", str(ENGLISH["signature"])], ["show", str(ENGLISH["id"])]):
        assert NOTE in culdesac(*command, "--db", made, "--lang", "zh").stdout, command
        assert NOTE not in culdesac(*command, "--db", made).stdout, command
    for entry in (WRITTEN_IN_CHINESE, BILINGUAL):
        for command in (["search", str(entry["signature"])], ["show", str(entry["id"])]):
            assert NOTE not in culdesac(*command, "--db", made, "--lang", "zh").stdout, command


def test_a_result_in_the_list_says_so_too(culdesac: Run, made: Path) -> None:
    said = culdesac("search", "make stop", "--db", made, "--lang", "zh").stdout
    lines = [line for line in said.splitlines() if "No rule to make" in line or "遗漏分隔符" in line]
    assert any(line.endswith("（无中文）") for line in lines if "No rule" in line) or NOTE in said
    assert not any(line.endswith("（无中文）") for line in lines if "遗漏" in line)


def test_a_part_that_is_in_english_alone_says_so(culdesac: Run, made: Path) -> None:
    for command in (["search", BILINGUAL["signature"]], ["show", BILINGUAL["id"]]):
        said = culdesac(*command, "--db", made, "--lang", "zh").stdout.splitlines()
        assert "可以这样做" in said
        assert "不要尝试（无中文）" in said


def test_pages_say_where_there_is_no_chinese(web: Site) -> None:
    for path in (f"/entry/{ENGLISH['id']}", f"/entry/{ENGLISH['id']}.md", "/search?q=no+rule+to+make+target"):
        with_lang = web.get(f"{path}{'&' if '?' in path else '?'}lang=zh").text
        assert NOTE in with_lang, path
        assert NOTE not in web.get(path).text, path
    for entry in (WRITTEN_IN_CHINESE, BILINGUAL):
        for path in (f"/entry/{entry['id']}?lang=zh", f"/entry/{entry['id']}.md?lang=zh"):
            assert NOTE not in web.get(path).text, path
    (result,) = [
        one for one in HTMLParser(web.get("/search?q=make+stop&lang=zh").text).css(".result") if "遗漏" in one.text()
    ]
    assert NOTE not in result.text()


def test_the_note_is_no_part_of_the_entry() -> None:
    for page in (markdown(ENGLISH, lang="zh"), render(ENGLISH, "zh")):
        assert NOTE in page
        assert read_page(page) == read_page(markdown(ENGLISH))


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "said", "english"),
    [
        ("GET", "/entry/no/such?lang=zh", {}, 404, "没有编号为 no/such 的条目或错误",
         "No entry or error has the id no/such"),
        ("GET", "/search?q=x&db=none&lang=zh", {}, 404, "这里没有名为 'none' 的报错知识库", "no database 'none'"),
        ("DELETE", "/search?lang=zh", {}, 405, "这里不允许 DELETE 请求", "DELETE isn't allowed here"),
        ("POST", "/search?lang=zh", {"content": b"q=" + b"x" * (1 << 20) + b"x"}, 413, "请求正文超过 1048576 字节",
         "the body is longer than 1048576 bytes"),
        ("POST", "/search?lang=zh", {"content": b"x", "headers": {"content-type": "image/png"}}, 415,
         "应为 application/json、", "expected application/json, "),
        ("POST", "/search?lang=zh", {"content": b"[1]", "headers": {"content-type": "application/json"}}, 400,
         "请求正文不是 JSON 对象", "the body isn't a JSON object"),
    ],
)  # fmt: skip
def test_refusals_are_in_the_language_of_the_page(
    web: Site, method: str, path: str, options: dict[str, object], status: int, said: str, english: str
) -> None:
    if method == "POST":
        options = {"headers": {"content-type": "application/x-www-form-urlencoded"}, **options}
    for address, text in ((path, said), (path.replace("lang=zh", "lang=en"), english)):
        answer = web.ask(method, address, **options)
        assert answer.status_code == status
        assert text in HTMLParser(answer.text).body.text()  # type: ignore[union-attr]
        assert ('<html lang="zh-CN">' in answer.text) == (text == said)


@pytest.mark.parametrize("tag", ["zh", "zh-CN", "zh_Hans", "zh-TW", "ZH", "zh-Hant-HK"])
def test_a_tag_of_chinese_is_chinese(web: Site, tag: str) -> None:
    for path in (
        "/?lang={}", "/search?q=make&lang={}", "/overview?lang={}", f"/entry/{ENGLISH['id']}?lang={{}}",
        "/nosuch?lang={}", "/nosuch?_lang={}", "/-?_lang={}", "/errors?_lang={}", "/errors/entries?lang={}",
        "/errors/entries/9999?_lang={}",
    ):  # fmt: skip
        page = web.get(path.format(tag)).text
        assert '<html lang="zh-CN">' in page, path
        # What it leads to is said in the short form.
        assert "lang=zh&" in page.replace("&amp;", "&") or 'lang=zh"' in page, path
    for tag in ("en-GB", "zhx", "fr", ""):
        assert '<html lang="en">' in web.get(f"/search?q=make&lang={tag}").text, tag


def test_titles_and_what_is_heard_have_chinese_punctuation(web: Site) -> None:
    def title(path: str) -> str:
        found = HTMLParser(web.get(path).text).css_first("title")
        return str(found.text())

    assert title("/search?q=make&lang=zh") == "make - 搜索 - Culdesac"
    assert title("/search?q=make") == "make: Search, Culdesac"
    assert title("/search?domain=make&resolvable=partial&lang=zh") == "make，部分可解决 - 搜索 - Culdesac"
    assert title("/search?lang=zh") == "搜索 - Culdesac"
    assert title("/overview?lang=zh") == "概览 - Culdesac"
    assert title("/nosuch?lang=zh") == "找不到 - Culdesac"
    picture = HTMLParser(web.get("/overview?lang=zh").text).css_first("svg.columns")
    assert re.fullmatch(r"[^:;.]+。(0–10%|[^：；]+)：\d+(；[^：；]+：\d+)+", picture.attributes["aria-label"] or "")
    footer = HTMLParser(web.get("/?lang=zh").text).css_first("footer").text()
    assert footer.endswith("由 Culdesac 和 Datasette 驱动")


def test_how_many_are_listed_of_how_many_reads_as_chinese(sample_db: Path) -> None:
    site = Site(sample_db)
    try:
        shown = site.get("/search", params={"q": "cuda out of memory torch error", "lang": "zh"}).text
    finally:
        site.close()
    told = HTMLParser(shown).css_first("#found").text()
    assert re.fullmatch(r"共匹配 \d+ 个错误，列出最相关的 \d+ 个(把握不大的)?结果", told), told


def test_the_api_speaks_english_whatever_the_page_does(web: Site) -> None:
    for path, options in (("/search.json?q=x&n=0&lang=zh", {}), ("/entry/no/such.json?lang=zh", {})):
        answer = web.get(path, **options)
        assert answer.json()["error"].isascii(), path


def test_a_chinese_page_has_no_english_of_ours(web: Site) -> None:
    """Every text that is in the English page and isn't the entry's: none is left in the Chinese one."""
    data = {"Culdesac", "Datasette", "JSON", "errors", "entries.jsonl", "no-steps", "zzzzqqq"}
    for path in (
        "/?lang={}",
        "/overview?lang={}",
        "/search?q=make&lang={}",
        "/search?lang={}",
        "/search?q=zzzzqqq&lang={}",
    ):
        english, chinese = (HTMLParser(web.get(path.format(lang)).text) for lang in ("en", "zh"))
        shared = texts(english) & texts(chinese)
        entries = json.dumps([ENGLISH, WRITTEN_IN_CHINESE, BILINGUAL], ensure_ascii=False)
        left = {text.strip(" ,:") for text in shared if re.search("[A-Za-z]{2}", text) and text not in entries}
        assert left <= data, path
        assert attributes(english) & attributes(chinese) <= {"RuntimeError: CUDA out of memory", "Culdesac"}, path


def texts(tree: HTMLParser) -> set[str]:
    """The texts that a page shows, a node each."""
    assert tree.body
    return {node.text(deep=False).strip() for node in tree.body.traverse() if node.tag not in ("script", "style")} - {
        ""
    }


def attributes(tree: HTMLParser) -> set[str]:
    """The attributes that a reader hears or sees."""
    named = ("aria-label", "title", "placeholder", "data-copy", "data-copied", "alt")
    found = {node.attributes.get(name) for node in tree.css("*") for name in named}
    return {text for text in found if text}
