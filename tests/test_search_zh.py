"""Plain SQL and the engine agree on Chinese: they read a query alike, and what holds its words both find.

Queries are made of the sample's own Chinese: pieces of sentences, words of its English and of Taiwan, simplified,
traditional and full-width, joined as people join them, chosen with one seed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from opencc import OpenCC

from culdesac.db.text import fold, has_han, identifier_parts
from culdesac.db.words_tw import words_tw
from culdesac.plugins.web.boxes import Reader
from culdesac.queries.chinese import read_folds
from culdesac.queries.engine import Engine
from culdesac.queries.glossary import NOTHING, glossary, mainland
from culdesac.queries.query import Query
from culdesac.queries.shipped import shipped
from culdesac.queries.stopwords import STOP_WORDS
from tests.conftest import ingest
from tests.corpora import sample
from tests.test_invariants import write_lines

SQL = next(query.sql for query in shipped() if query.name == "search_zh")
#: The query up to where it has read the text: what follows chooses words and marks hits.
READING = SQL[: SQL.index("chosen (term)")].rstrip().rstrip(",")
TEXTS = [
    text
    for document in sample()
    for text in (document.get("signature_zh"), document.get("root_cause_zh"), *(document.get("workarounds_zh") or ()))
    if text
]
WORDS = sorted({word for document in sample() for word in re.findall(r"[A-Za-z][A-Za-z0-9_]+", document["signature"])})
TO_TRADITIONAL = OpenCC("s2t")
TAIWAN = sorted(words_tw())
LONGEST = 6
#: An entry with a word that so few have is no tie among many.
FEW = 8

pytestmark = pytest.mark.filterwarnings("error")


def full_width(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


def made(random: Random) -> str:
    """A query that a person may type, with Chinese in it."""
    parts = []
    for _ in range(random.randint(1, 3)):
        text = random.choice(TEXTS)
        start = random.randint(0, max(0, len(text) - 2))
        piece = text[start : start + random.randint(2, 12)]
        parts.append(random.choices([piece, random.choice(WORDS), random.choice(TAIWAN)], [0.6, 0.2, 0.2])[0])
    query = random.choice(["", " ", "，", "\u3000"]).join(parts) + random.choice(
        ["", "", "怎么办", "为什么？", " 求助"]
    )
    write = random.choice([str, TO_TRADITIONAL.convert, full_width, str.upper])
    return write(query) if has_han(query) else made(random)


queries = st.integers(0, 1 << 32).map(lambda seed: made(Random(seed)))


@pytest.fixture(scope="module")
def file(sample_db: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{sample_db}?mode=ro", uri=True)) as connection:
        yield connection


@pytest.fixture(scope="module")
def engine(sample_db: Path) -> Iterator[Engine]:
    with Engine(sample_db) as opened:
        yield opened


def ask(file: sqlite3.Connection, sql: str, query: str) -> list[tuple[object, ...]]:
    return file.execute(sql, {"q": query, "limit": 50}).fetchall()


def read(file: sqlite3.Connection, query: str) -> tuple[str, dict[str, int]]:
    """How the SQL reads a text: folded, and its words with how many entries have each."""
    ((folded,),) = ask(file, f"{READING} SELECT text FROM folded", query)
    return str(folded), dict(ask(file, f"{READING} SELECT term, entries FROM word", query))  # type: ignore[arg-type]


def analysed(file: sqlite3.Connection, query: str) -> Query:
    return Reader(file).read(query)


def as_written(file: sqlite3.Connection, query: str) -> str:
    """The query as the index would write it."""
    return fold(mainland(query, read_folds(file)))


SAMPLED = settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])


def says_nothing() -> set[str]:
    found = {*STOP_WORDS, *(word for word, says in glossary().renderings.items() if says == NOTHING)}
    return {folded for word in found if has_han(word) and len(folded := fold(word)) <= LONGEST}


def test_both_pass_over_the_same_words() -> None:
    listed = re.search(r"term IN \(([^)]*)\) AS said", SQL)
    assert listed
    assert set(re.findall("'([^']*)'", listed[1])) == says_nothing()


@given(queries)
@SAMPLED
def test_both_write_a_query_alike(file: sqlite3.Connection, query: str) -> None:
    assert read(file, query)[0] == as_written(file, query)


#: Letters that the index writes otherwise: marks on them, other alphabets, ligatures, compatibility ideographs.
@given(
    st.text(st.sampled_from("éÉñÅЖΩāが゛パｶ㍿①Ⅳ²㎏ﬁ豈﨑⼀〇々 \u0301\u3000ｌ１（）‘’—…×÷한글"), min_size=1, max_size=30)
)
@SAMPLED
def test_both_write_rare_characters_alike(file: sqlite3.Connection, text: str) -> None:
    text = "".join(letter for letter in text if len(fold(letter)) == 1 or letter == "\u0301")
    folded = read(file, f"显存 {text}")[0]
    assert re.findall(r"[^\W_]+", folded) == re.findall(r"[^\W_]+", fold(f"显存 {text}"))


@given(queries)
@SAMPLED
def test_both_cut_a_query_alike(file: sqlite3.Connection, query: str) -> None:
    """Word for word, but for the glossary: where one of its words is said, the engine leaves alone what crosses it."""
    plain, known = set(read(file, query)[1]), set(analysed(file, query).counts) - set(identifier_parts(query))
    assert {word for word in known - plain if len(word) > 1} <= says_nothing()
    # Several characters in a row that no longer word covers are a word that nobody knows, for the engine; the SQL looks
    # for them in a row. What was typed in words of Taiwan is another way to say it, for the engine.
    typed = {fold(word) for word in TAIWAN if word in query}
    for word in {word for word in plain - known - typed if len(word) > 1 and " " not in word}:
        assert any(crosses(run, word) for run in re.findall("[\u3400-\u9fff]+", as_written(file, query))), word


def crosses(run: str, word: str) -> bool:
    """Whether a word of the glossary begins or ends inside of the word, or has it inside."""
    places = [found.start() for found in re.finditer(f"(?={word})", run)]
    edges = {edge for span in glossary().spans(run) for edge in (span.start, span.end)}
    return any(start < edge < start + len(word) for start in places for edge in edges) or any(
        span.start <= start and start + len(word) <= span.end for start in places for span in glossary().spans(run)
    )


@given(queries)
@SAMPLED
def test_what_holds_all_words_is_found(file: sqlite3.Connection, query: str) -> None:
    words = read(file, query)[1]
    rows = [str(row[0]) for row in ask(file, SQL, query)]
    assert bool(rows) == bool(words)
    assume(words and min(words.values()) <= FEW)
    assert holding(file, words) <= {*rows}


def test_the_engine_finds_it_too(file: sqlite3.Connection, engine: Engine) -> None:
    """Where both read the same words: the engine passes over what is half a word of its glossary. But for one or two in
    a hundred, where what the words mean in English proposes enough others: 出错."""
    random = Random(1)
    asked = missed = held = lost = 0
    for query in (made(random) for _ in range(500)):
        words = read(file, query)[1]
        if words and min(words.values()) <= FEW and not STOP_WORDS & words.keys():
            found = candidates(engine, query)
            if not words.keys() <= analysed(file, query).counts.keys():
                continue
            asked += 1
            missed += ask(file, SQL, query)[0][0] not in found
            holders = holding(file, words)
            held += len(holders)
            lost += len(holders - found)
    assert asked > 200
    assert missed <= asked / 50
    assert held > 300
    assert lost <= held / 50


def holding(file: sqlite3.Connection, words: Iterable[str]) -> set[str]:
    """The entries that hold all of the words."""
    every = " AND ".join(f'"{word}"' for word in words)
    sql = "select id from entries_fts join entries on pk = entries_fts.rowid where entries_fts match ?"
    return {entry for (entry,) in file.execute(sql, (every,))}


def candidates(engine: Engine, query: str) -> set[str]:
    return {entry for result in engine.search(query, n=100).results for entry in result.variants}


# Words of Taiwan and Hong Kong


@given(queries)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_read_them_as_the_mainlands(file: sqlite3.Connection, engine: Engine, query: str) -> None:
    mainlands = mainland(query, read_folds(file))
    # Unless the file has Taiwan's words themselves.
    assume(read(file, query)[1] == read(file, mainlands)[1])
    assert ask(file, SQL, query) == ask(file, SQL, mainlands)
    assert {result.error_id for result in engine.search(mainlands, n=1).results} <= {
        entry if entry.count("/") < 2 else entry.rsplit("/", 1)[0] for entry in candidates(engine, query)
    }


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("遠端錯誤", "git/push-file-exceeds-100mb"), ("無法呼叫", "java/nullpointerexception-helpful-message")],
)
def test_they_are_found_as_they_stand(file: sqlite3.Connection, engine: Engine, asked: str, expected: str) -> None:
    """An entry may be written in words of Taiwan, too."""
    assert ask(file, SQL, asked)[0][0] == expected
    assert expected in [result.id for result in engine.search(asked, n=3).results]


def test_a_word_that_the_dictionary_lacks_is_found_in_a_row(tmp_path: Path) -> None:
    documents = [
        {"id": "d/own", "signature": "x", "signature_zh": "哈希值齉龘了"},
        {"id": "d/apart", "signature": "y", "signature_zh": "哈希值齉，也龘了"},
        {"id": "d/other", "signature": "z", "signature_zh": "网络超时"},
    ]
    ingest(tmp_path / "e.db", write_lines(tmp_path / "e.jsonl", documents))
    with closing(sqlite3.connect(tmp_path / "e.db")) as made_file:
        rows = ask(made_file, SQL, "网络齉龘")
    assert [row[0] for row in rows if "齉" in str(row[1])] == ["d/own"]
    assert "【齉龘】" in str(rows[[row[0] for row in rows].index("d/own")][1])


def test_the_file_has_the_words_that_the_engine_has(file: sqlite3.Connection) -> None:
    assert dict(file.execute("select word, mainland from words_tw")) == words_tw()
    (longest,) = file.execute("select max(length(word)) from words_tw").fetchone()
    (sizes,) = re.findall(r"^size \(n\) AS \(VALUES (.*)\),$", SQL, re.M)
    assert longest <= len(sizes.split(","))


@pytest.mark.parametrize("word", TAIWAN)
def test_each_is_read_as_the_mainlands(file: sqlite3.Connection, word: str) -> None:
    text = f"{word}，這是怎麼了"
    assert read(file, text)[0].startswith(words_tw()[word])
    assert read(file, text)[0] == as_written(file, text)


@pytest.mark.parametrize(
    ("asked", "mainlands", "first"),
    [
        ("記憶體不足", "内存不足", "redis/misconf-rdb-cannot-persist"),
        ("資料庫連線逾時", "数据库连接超时", "database/sqlite-database-is-locked"),
        ("憑證過期", "证书过期", "networking/ssl-certificate-has-expired"),
        ("磁碟空間不足", "磁盘空间不足", "node/enospc-file-watchers-limit"),
        ("執行緒死結", "线程死锁", "go/all-goroutines-asleep-deadlock"),
    ],
)
def test_they_find_what_the_mainlands_words_find(
    file: sqlite3.Connection, engine: Engine, asked: str, mainlands: str, first: str
) -> None:
    rows = ask(file, SQL, asked)
    assert rows == ask(file, SQL, mainlands)
    assert first in [row[0] for row in rows[:2]]
    ids = [[result.id for result in engine.search(text, n=10).results] for text in (asked, mainlands)]
    assert ids[0][0] == ids[1][0]
    assert {row[0] for row in rows} & {*ids[0]}


def test_the_longest_word_is_taken(file: sqlite3.Connection) -> None:
    assert read(file, "視訊記憶體")[0] == "显存"
    assert read(file, "記憶體外洩和快取記憶體")[0] == "内存泄漏和缓存"


def test_simplified_text_is_left_alone(file: sqlite3.Connection) -> None:
    """逾期 is a Taiwan word for an expired certificate, and the mainland's for an overdue order."""
    assert "逾期" in words_tw()
    for text in ("订单逾期，怎么办", "订单逾期（ＣＰＵ）"):
        assert read(file, text)[0] == as_written(file, text)
        assert "逾期" in read(file, text)[0]
    assert "过期" in read(file, "訂單逾期")[0]


# Single characters


def test_a_single_character_counts_alone_or_where_nothing_else_does(file: sqlite3.Connection) -> None:
    def asked(text: str) -> set[str]:
        return set(read(file, text)[1])

    assert asked("锁") == {"锁"}
    assert asked("mysql 锁") == {"mysql", "锁"}
    assert asked("mysql 锁吃") == {"mysql"}
    assert asked("锁吃") == {"锁"}
    assert "实" not in asked("请求实体过大")
