"""Datasette's own search boxes: what a text asks for, in every language, and that more words never widen."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from culdesac.plugins.web.boxes import Reader
from culdesac.queries.units import NOTHING
from tests.conftest import ingest
from tests.sites import LOG, OOM, Site, facets, rows
from tests.test_invariants import write_lines

TABLES = ("entries", "workarounds", "dead_ends", "search")
#: A small file, made for what is asked below: no word of one entry means a word of another.
ENTRIES: dict[str, dict[str, Any]] = {
    "a/gpu": {"signature": "CUDA out of memory", "signature_zh": "显存不足"},
    "a/vram": {"signature": "not enough GPU memory for the tensor"},
    "a/disk": {"signature": "insufficient disk quota", "signature_zh": "磁盘配额不足"},
    "a/database": {"signature": "database is locked", "signature_zh": "数据库已锁定"},
    "a/slow": {"signature": "database connection timed out"},
    "a/tls": {"signature": "certificate has expired"},
    "a/pod": {"signature": "containers restart again", "signature_zh": "容器反复重启"},
    "a/name": {"signature": "NoSuchKeyException thrown"},
}
STEPS = {"a/gpu": "Halve the batch size; 显存 is then enough", "a/disk": "Ask for a larger quota", "a/tls": "Renew it"}


@pytest.fixture(scope="module")
def sample_web(sample_db: Path) -> Iterator[Site]:
    site = Site(sample_db)
    yield site
    site.close()


@pytest.fixture(scope="module")
def corpus(corpus_db: Path) -> Iterator[Site]:
    site = Site(corpus_db)
    yield site
    site.close()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("boxes")
    documents = [
        {"id": entry, **fields, "workarounds": [{"action": STEPS[entry]}] if entry in STEPS else []}
        for entry, fields in ENTRIES.items()
    ]
    write_lines(folder / "entries.jsonl", documents)
    ingest(folder / "errors.db", folder / "entries.jsonl")
    site = Site(folder / "errors.db")
    yield site
    site.close()


def found(web: Site, text: str, table: str = "entries", **more: str) -> set[int]:
    return {row["pk"] for row in rows(web, f"/errors/{table}.json", _search=text, _size="max", **more)}


def ids(web: Site, text: str) -> set[str]:
    return {row["id"] for row in rows(web, "/errors/entries.json", _search=text, _size="max")}


# What is asked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Its own words, or another way to say it.
        ("显存不足", {"a/gpu", "a/vram"}),
        ("顯存不足怎麼辦？", {"a/gpu", "a/vram"}),
        ("ＣＵＤＡ　显存", {"a/gpu"}),
        ("不足", {"a/gpu", "a/vram", "a/disk"}),
        ("证书过期", {"a/tls"}),
        ("容器一直重启怎么办", {"a/pod"}),
        # Words of Taiwan, a word in two languages.
        ("資料庫", {"a/database", "a/slow"}),
        ("資料庫連線逾時", {"a/slow"}),
        ("憑證過期", {"a/tls"}),
        ("database 锁定", {"a/database"}),
        # English: forms, a misspelling, a name, words that say nothing.
        ("container restarting", {"a/pod"}),
        ("certificat expired", {"a/tls"}),
        ("how can I solve that the database is locked", {"a/database"}),
        ("NoSuchKeyException", {"a/name"}),
        ("memory", {"a/gpu", "a/vram"}),
        ("cuda memory", {"a/gpu"}),
        # No entry has all: what the rarest word finds, with as much of the rest as leaves any.
        ("cuda memory locked", {"a/gpu"}),
        ("database certificate", {"a/tls"}),
        ("database nosuchwordatall", {"a/database", "a/slow"}),
        # Nothing known, or nothing said.
        ("nosuchwordatall", set()),
        ("怎么办", set()),
        ("龘", set()),
    ],
)
def test_what_a_text_finds(small: Site, text: str, expected: set[str]) -> None:
    assert ids(small, text) == expected
    assert {row["id"] for row in rows(small, "/errors/search.json", _search=text)} == expected


def test_each_table_is_asked_for_what_its_own_rows_hold(small: Site) -> None:
    def steps(text: str) -> list[str]:
        return [row["action"] for row in rows(small, "/errors/workarounds.json", _search=text)]

    assert steps("显存") == steps("显存 证书") == [STEPS["a/gpu"]]
    assert steps("larger quota") == [STEPS["a/disk"]]
    # No step holds the first word, though an entry does; then one that no step holds at all.
    assert steps("cuda quota") == [STEPS["a/disk"]]
    assert steps("locked") == []


def test_a_column_is_searched_alike(small: Site) -> None:
    def signatures(**searches: str) -> set[str]:
        return {row["id"] for row in rows(small, "/errors/entries.json", **searches)}

    assert signatures(_search_signature="database locked") == {"a/database"}
    assert signatures(_search_signature="數據庫 鎖") == {"a/database"}
    assert signatures(_search_signature_zh="显存不足") == {"a/gpu"}
    assert signatures(_search_signature="memory", _search_signature_zh="显存") == {"a/gpu"}
    assert signatures(_search_signature="nosuchwordatall", _search_signature_zh="显存") == set()


def test_a_raw_search_stays_the_readers_own(small: Site) -> None:
    raw = rows(small, "/errors/entries.json", _search="cert* OR quota", _searchmode="raw")
    assert {row["id"] for row in raw} == {"a/tls", "a/disk"}


# On the sample


def test_chinese_however_it_is_written(sample_web: Site) -> None:
    simplified = found(sample_web, "显存不足")
    assert OOM in ids(sample_web, "显存不足")
    assert len(simplified) < 20
    assert simplified == found(sample_web, "顯存不足") == found(sample_web, "顯示記憶體不足")
    assert simplified == found(sample_web, "显存不足怎么办啊请问")
    assert found(sample_web, "ＣＵＤＡ") == found(sample_web, "cuda")
    assert found(sample_web, "記憶體不足") == found(sample_web, "内存不足") != set()


def test_words_narrow(sample_web: Site) -> None:
    both, cuda, memory = (found(sample_web, text) for text in ("cuda memory", "cuda", "memory"))
    assert both == cuda & memory
    assert both < cuda
    assert found(sample_web, "crashloopbackoff gradient") in (
        found(sample_web, "crashloopbackoff"), found(sample_web, "gradient"),
    )  # fmt: skip


# On 2,580 entries


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("显存不足", {"entries": 60, "workarounds": 30, "dead_ends": 30}),
        ("記憶體不足", {"entries": 150, "workarounds": 60, "dead_ends": 80}),
        ("数据库连接超时", {"entries": 30, "workarounds": 10, "dead_ends": 10}),
        ("證書過期", {"entries": 20, "workarounds": 10, "dead_ends": 10}),
        ("torch 显存 OOM 怎么解决", {"entries": 20, "workarounds": 10, "dead_ends": 10}),
    ],
)
def test_a_question_finds_few_rows(corpus: Site, text: str, most: dict[str, int]) -> None:
    for table, count in most.items():
        assert 0 < len(found(corpus, text, table)) <= count
    assert len(found(corpus, text, "search")) == len(found(corpus, text))


def test_a_mixed_question_finds_what_has_no_chinese_for_it(corpus: Site) -> None:
    assert OOM in ids(corpus, "torch 显存 OOM 怎么解决")
    assert "redis/misconf-rdb-cannot-persist" in ids(corpus, "記憶體不足 redis")


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("显存不足", ["显存"]),
        ("磁盘空间不足", ["磁盘空间", "磁盘"]),
        ("内存泄漏", ["内存"]),
        ("数据库连接超时", ["数据库", "数据库连接"]),
        ("证书过期", ["证书"]),
        ("端口被占用", ["端口"]),
    ],
)
def test_typing_on_narrows(corpus: Site, text: str, typed: list[str]) -> None:
    """In Chinese no blank says where a word ends: 显存不足 is 显存 with more typed."""
    for table in TABLES:
        longer = found(corpus, text, table)
        assert [start for start in typed if not longer <= found(corpus, start, table)] == []


def test_a_word_that_only_begins_like_another_is_not_a_kind_of_it(corpus: Site) -> None:
    assert not found(corpus, "数据库") <= found(corpus, "数据")


WORDS = (
    "cuda", "memory", "nginx", "docker", "timeout", "torch", "kubernetes", "permission", "python", "signature",
    "显存", "容器", "超时", "端口", "网络", "内存", "憑證", "資料庫", "ＧＰＵ", "dataloder",
    "nosuchwordatall", "怎么办", "the",
)  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), st.sampled_from(TABLES))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_more_words_are_never_wider_than_the_rarest(corpus: Site, words: list[str], table: str) -> None:
    alone = [one for word in words if word != "the" and (one := found(corpus, word, table, _nofacet="1"))]
    together = found(corpus, " ".join(words), table, _nofacet="1")
    if not alone:
        assert bool(together) == ("the" in words)
        return
    assert 0 < len(together) <= min(map(len, alone))
    assert any(together <= one for one in alone)
    if all_of := set.intersection(*alone):
        assert together == all_of


@given(st.permutations(["cuda", "显存", "torch", "nginx", "逾時"]))
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_words_says_nothing(corpus: Site, words: list[str]) -> None:
    assert found(corpus, " ".join(words)) == found(corpus, "cuda 显存 torch nginx 逾時")


# What Datasette adds


@pytest.mark.parametrize("table", ["entries", "search"])
def test_facets_sort_and_filters_stay_datasettes(corpus: Site, table: str) -> None:
    text = "显存 cuda"
    every = rows(corpus, f"/errors/{table}.json", _search=text, _size="max")
    counts = facets(corpus, f"/errors/{table}.json?_search={text}&_facet=domain")["domain"]["results"]
    assert sum(value["count"] for value in counts) == len(every)
    for value in counts:
        narrowed = rows(corpus, f"/errors/{table}.json", _search=text, domain=value["value"], _size="max")
        assert len(narrowed) == value["count"]
    ordered = rows(corpus, f"/errors/{table}.json", _search=text, _sort_desc="fix_success_rate", _size="max")
    rates = [row["fix_success_rate"] or 0 for row in ordered]
    assert rates == sorted(rates, reverse=True)
    assert {row["pk"] for row in ordered} == {row["pk"] for row in every}


def test_the_page_shows_the_text_as_it_was_typed(corpus: Site) -> None:
    page = corpus.get("/errors/entries?_search=顯存不足").text
    assert 'value="顯存不足"' in page
    assert "search matches &#34;顯存不足&#34;" in page


# How much is asked


@pytest.mark.parametrize("text", [LOG * 50, "显存不足，容器一直重启，" * 100, "cuda memory", " ".join(WORDS)])
def test_a_text_asks_the_index_a_bounded_number_of_questions(corpus_db: Path, text: str) -> None:
    asked: list[str] = []
    with closing(sqlite3.connect(f"file:{corpus_db}?mode=ro", uri=True)) as connection:
        connection.set_trace_callback(asked.append)
        assert Reader(connection).narrowed(text, "entries") != NOTHING
    assert 0 < len([sql for sql in asked if "entries_fts MATCH" in sql]) <= 3 * 16 + 1


def test_a_word_that_no_row_says_whole_is_asked_for_in_parts(corpus: Site) -> None:
    found = [str(row) for row in rows(corpus, "/errors/workarounds.json", _search="端口被占用")]
    assert found
    assert all("端口" in row or "port" in row.lower() for row in found)


#: Entries with their domain, tags and packages.
TAGGED = {
    "a/one": ("d", ["alpha", "beta", "alpha"], ["torch", "numpy"]),
    "a/two": ("d", ["alpha", "a&b=c 显存"], ["torch"]),
    "a/three": ("e", ["beta", ""], ["numpy"]),
    "a/four": ("e", [], ["torch"]),
}


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("tagged")
    documents = [
        {"id": entry, "signature": f"error {entry}", "domain": domain, "tags": tags,
         "versions": [{"version": f"{package}>=1", "status": "active"} for package in packages]}
        for entry, (domain, tags, packages) in TAGGED.items()
    ]  # fmt: skip
    write_lines(folder / "entries.jsonl", documents)
    ingest(folder / "t.db", folder / "entries.jsonl")
    site = Site(folder / "t.db")
    yield site
    site.close()


def counts(site: Site, address: str, name: str) -> dict[str, int]:
    return {one["value"]: one["count"] for one in facets(site, address)[name]["results"]}


@pytest.mark.parametrize("table", ["entries", "search"])
def test_tags_are_a_facet_as_packages_are(tagged: Site, table: str) -> None:
    path = f"/t/{table}.json"

    def ids(**arguments: Any) -> set[str]:
        return {row["id"] for row in rows(tagged, path, **arguments)}

    assert counts(tagged, f"{path}?_size=max", "tag") == {"alpha": 2, "beta": 2, "a&b=c 显存": 1}
    assert counts(tagged, f"{path}?_size=max", "package") == {"torch": 3, "numpy": 2}
    assert ids(_tag="alpha") == {"a/one", "a/two"}
    assert ids(_tag=["alpha", "beta"]) == {"a/one"}
    assert ids(_tag="alpha", _package="numpy") == {"a/one"}
    assert ids(_tag="beta", domain="e") == {"a/three"}
    assert ids(_tag="Alpha' OR 1") == ids(_tag="alpha", domain="e") == set()
    # Each counts among what the others leave, Datasette's own facets too.
    assert counts(tagged, f"{path}?_tag=beta", "domain") == {"d": 1, "e": 1}
    assert counts(tagged, f"{path}?_tag=beta", "package") == {"numpy": 2, "torch": 1}
    assert counts(tagged, f"{path}?_package=torch&domain=d", "tag") == {"alpha": 2, "a&b=c 显存": 1, "beta": 1}
    assert counts(tagged, f"{path}?_search=one", "tag") == {"alpha": 1, "beta": 1}
    for one in facets(tagged, f"{path}?_package=torch&_search=error")["tag"]["results"]:
        address = urlsplit(one["toggle_url"])
        assert {("_package", "torch"), ("_search", "error"), ("_tag", one["value"])} <= set(parse_qsl(address.query))
        assert len(ids(_package="torch", _search="error", _tag=one["value"])) == one["count"]
    (alpha,) = [one for one in facets(tagged, f"{path}?_tag=alpha&_tag=beta")["tag"]["results"] if one["selected"]][:1]
    assert "_tag=alpha" not in alpha["toggle_url"]
    assert "_tag=beta" in alpha["toggle_url"]


def test_a_page_has_the_tags_with_links_that_keep_the_rest(tagged: Site, small: Site) -> None:
    page = LexborHTMLParser(tagged.get("/t/entries?_package=torch&_sort_desc=pk&_tag=alpha&_lang=zh").text)
    assert "标签 = “alpha”" in page.css_first("h3").text()
    facet = page.css_first("#facet-tag")
    assert facet.css_first("strong").text().split()[0] == "标签"
    queries = {link.text(): set(parse_qsl(urlsplit(str(link.attributes["href"])).query)) for link in facet.css("li a")}
    kept = {("_package", "torch"), ("_sort_desc", "pk"), ("_lang", "zh")}
    assert queries["beta"] == {*kept, ("_tag", "alpha"), ("_tag", "beta")}
    assert queries["✖"] == kept
    assert page.css_first("form.filters input[name=_tag]").attributes["value"] == "alpha"
    assert "a&b=c 显存" in queries
    assert 'tag is "alpha"' in LexborHTMLParser(tagged.get("/t/entries?_tag=alpha").text).css_first("h3").text()
    # A file without tags has no such facet.
    assert "facet-tag" not in small.get("/errors/entries").text
