"""Searching by the company that words keep: what the vectors in the file do for a search, and where they do nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import culdesac
from culdesac.db.file import UnfitFile
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.latent import UNKNOWN
from culdesac.queries.query import analyse
from tests.conftest import ingest
from tests.corpora import sample
from tests.test_invariants import write_lines

#: Forty topics: the words of each keep company, and no entry has words of two.
TOPICS = [[f"{first}{second}{third}" for third in "abcdefghij"] for first, second in product("klmno", "pqrstuvw")]
SOME = [*TOPICS[0], *TOPICS[1], "wobble", "failed", "unheard"]


def made(topic: list[str], number: int) -> dict[str, object]:
    """An entry about half the words of a topic. The first of each topic has one more, the same in all topics."""
    said = " ".join(Random(f"{topic[0]} {number}").sample(topic, 5))
    return {"id": f"{topic[0]}/e{number}", "signature": "failed" if number else "wobble", "root_cause": said}


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("topics")
    entries = [made(topic, number) for topic in TOPICS for number in range(8)]
    ingest(folder / "t.db", write_lines(folder / "t.jsonl", entries))
    with culdesac.open(folder / "t.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def file(sample_db: Path) -> Iterator[Engine]:
    with culdesac.open(sample_db) as opened:
        yield opened


def latent(engine: Engine, text: str) -> dict[str, float]:
    return {one.card.error_id: one.evidence.latent for one in engine.candidates(text, Filters())[1]}


def test_company_decides_between_entries_that_hold_the_same(topics: Engine) -> None:
    """Forty entries hold one word of the query. Of those without its other word the first is the one whose words keep
    company with it."""
    asked = first = 0
    for topic in TOPICS:
        for word in topic:
            candidates = topics.candidates(f"wobble {word}", Filters())[1]
            same = [one.card for one in candidates if "wobble" in one.card.words and word not in one.card.words]
            if word not in str(made(topic, 0)["root_cause"]):
                asked += 1
                first += same[0].error_id == f"{topic[0]}/e0"
    assert asked == 200
    assert first > 120  # by chance 5 would be


@given(words=st.lists(st.sampled_from(SOME), min_size=1, max_size=6))
def test_a_similarity_is_a_cosine(topics: Engine, words: list[str]) -> None:
    found = latent(topics, " ".join(words))
    assert all(-1.001 <= value <= 1.001 for value in found.values())


def test_an_entry_is_near_its_own_words(file: Engine) -> None:
    """Nearer than nine in ten of the others, and in the middle much nearer."""
    places = []
    for document in sample():
        query = analyse(file._terms, document["root_cause"], file.entries, file._simplified)
        every = file._latent.near(query.own_terms).to(range(1, file.entries + 1))
        (pk,) = file._connection.execute("SELECT pk FROM entries WHERE id = ?", [document["id"]]).fetchone()
        places.append(sum(value > every[pk] for value in every.values()))
    assert sorted(places)[len(places) // 2] <= 2
    assert sorted(places)[len(places) * 9 // 10] <= file.entries / 10


@pytest.mark.parametrize("text", ["显存不足怎么办", "qqqqzzzz 容器一直重启", "blorft xyzzyq"])
def test_where_nothing_is_known_of_the_words_nothing_is_said(file: Engine, text: str) -> None:
    """A question in Chinese is compared by what its words mean, and an unknown word keeps no company."""
    assert set(latent(file, text).values()) <= {UNKNOWN}


def test_a_file_without_vectors_is_searched_all_the_same(tmp_path: Path, sample_db: Path) -> None:
    """Somebody who makes the tables smaller loses what they tell, and nothing else."""
    path = tmp_path / "bare.db"
    path.write_bytes(sample_db.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM word_vectors")
        connection.execute("DELETE FROM entry_vectors")
    connection.close()
    with culdesac.open(path) as engine:
        for document in sample()[:20]:
            results = engine.search(document["signature"]).results
            assert document["signature"] in {result.signature for result in results[:1]}
            assert set(latent(engine, document["signature"]).values()) == {UNKNOWN}


@pytest.mark.parametrize(
    ("blob", "fit"),
    [
        (b"", True),
        (b"\1\0", True),
        (b"\1\0" * 7, True),
        (b"\0" * 400, True),
        (b"\1", False),
        ("text", False),
        (5, False),
    ],
)
def test_vectors_that_somebody_broke_are_no_crash(tmp_path: Path, sample_db: Path, blob: object, fit: bool) -> None:
    """What can be no vector is told as damage, anything else is one that says nothing."""
    path = tmp_path / "broken.db"
    path.write_bytes(sample_db.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entry_vectors SET vector = ? WHERE entry % 2", [blob])
        connection.execute("UPDATE word_vectors SET vector = ? WHERE word < 'm'", [blob])
    connection.close()
    with culdesac.open(path) as engine, nullcontext() if fit else pytest.raises(UnfitFile, match="damaged"):
        for document in sample():
            assert engine.search(document["signature"]).results
