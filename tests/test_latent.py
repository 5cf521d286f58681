"""The vectors of a file: latent semantic indexing, read as any SQLite reads it."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import struct
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

from culdesac.ingest import latent
from culdesac.ingest.run import SAMPLE
from culdesac.ingest.sql import statement
from tests.conftest import Run, ingest
from tests.corpora import sample

Vector = tuple[int, ...]
_LENGTH = 32_767
#: Half a unit of rounding in each of 100 dimensions.
_ROUNDING = 5.0


def rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def vectors(path: Path, kind: str) -> dict[Any, Vector]:
    """Every word's or entry's vector."""
    key = {"word": "word", "entry": "entry"}[kind]
    found = rows(path, f"SELECT {key}, vector FROM {kind}_vectors")
    return {name: struct.unpack(f"<{len(blob) // 2}h", blob) for name, blob in found}


def texts(path: Path) -> dict[int, Counter[str]]:
    """How often each entry says each word."""
    found = rows(path, "SELECT * FROM entries_fts_tokens ORDER BY pk")
    return {pk: Counter(" ".join(filter(None, columns)).split()) for pk, *columns in found}


def dimensions(path: Path) -> list[str]:
    return [value for (value,) in rows(path, "SELECT value FROM about WHERE key = 'index/latent dimensions'")]


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other))


def make(target: Path, documents: list[dict[str, Any]]) -> Path:
    source = target.with_suffix(".jsonl")
    source.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    ingest(target, source)
    return target


def test_every_entry_has_a_vector_of_one_length(sample_db: Path) -> None:
    entries, words = vectors(sample_db, "entry"), vectors(sample_db, "word")
    assert sorted(entries) == list(range(1, 121))
    assert {len(vector) for vector in (*entries.values(), *words.values())} == {100}
    assert dimensions(sample_db) == ["100"]
    assert all(abs(math.hypot(*vector) - _LENGTH) <= _ROUNDING for vector in entries.values())
    assert all(0 < math.hypot(*vector) <= 2**15 + _ROUNDING for vector in words.values())


def test_the_words_are_those_that_two_entries_share_in_any_language(sample_db: Path) -> None:
    shared_words = {word for (word,) in rows(sample_db, "SELECT term FROM terms WHERE entries > 1")}
    assert vectors(sample_db, "word").keys() == shared_words
    assert {"显存", "不足", "timeout", "memory"} <= shared_words


def test_an_entry_is_the_weighed_sum_of_its_words(sample_db: Path) -> None:
    """By the formula of docs/schema.md, from what the file holds: a reader makes a query's vector so."""
    words, entries, said = vectors(sample_db, "word"), vectors(sample_db, "entry"), texts(sample_db)
    held = dict(rows(sample_db, "SELECT term, entries FROM terms"))
    for pk, counts in said.items():
        total = [0.0] * 100
        for word, count in counts.items():
            if word in words:
                idf = math.log(1 + (len(said) - held[word] + 0.5) / (held[word] + 0.5))
                total = [a + (1 + math.log(count)) * idf * b for a, b in zip(total, words[word], strict=True)]
        scale = _LENGTH / math.hypot(*total)
        assert max(abs(a * scale - b) for a, b in zip(total, entries[pk], strict=True)) < 20


def topics() -> list[dict[str, Any]]:
    """More topics than dimensions, each with words that stand in all its entries and two names, never both in one."""
    named = {"engine wheel brake clutch": ("automobile", "car"), "oven dough yeast flour": ("bread", "loaf")}
    named |= {" ".join(f"topic{number}{word}" for word in "abcd"): ("thing", "object") for number in range(110)}
    documents = []
    for place, (company, names) in enumerate(named.items()):
        for number in range(10 if place < 2 else 4):
            signature = f"{names[number % 2]} {company}"
            documents.append({"id": f"d/{place}-{number}", "signature": signature})
    return documents


def test_what_keeps_the_same_company_is_near_without_ever_meeting(tmp_path: Path) -> None:
    path = make(tmp_path / "topics.db", topics())
    words, entries = vectors(path, "word"), vectors(path, "entry")
    assert dimensions(path) == ["100"]
    assert cosine(words["engine"], words["wheel"]) > 0.9
    assert cosine(words["automobile"], words["car"]) > 0.9
    assert max(abs(cosine(words["automobile"], words[other])) for other in ("bread", "loaf", "oven")) < 0.1
    for pk, signature in rows(path, "SELECT pk, signature FROM entries"):
        # Entries that say car, by the word automobile, which they don't say.
        near = cosine(words["automobile"], entries[pk])
        assert near > 0.9 if "engine" in signature else near < 0.1


@pytest.mark.parametrize("corpus", ["sample", "public"])
def test_the_space_keeps_what_the_best_one_keeps(corpus: str, sample_db: Path, corpus_db: Path) -> None:
    """Against SciPy's singular value decomposition of the matrix, made again here in plain floating point."""
    path = sample_db if corpus == "sample" else corpus_db
    words, said = vectors(path, "word"), texts(path)
    column = {word: number for number, word in enumerate(words)}
    held = Counter(word for counts in said.values() for word in counts)
    cells = [
        (row, column[word], (1 + math.log(count)) * math.log(1 + (len(said) - held[word] + 0.5) / (held[word] + 0.5)))
        for row, counts in enumerate(said.values())
        for word, count in counts.items()
        if word in column
    ]
    row_numbers, column_numbers, values = (np.array(part) for part in zip(*cells, strict=True))
    matrix = csr_array((values, (row_numbers, column_numbers)), shape=(len(said), len(words)))
    matrix.data /= np.sqrt(matrix.power(2).sum(axis=1))[matrix.tocoo().coords[0]]
    basis = np.array(list(words.values())) / 2**15
    assert np.abs(basis.T @ basis - np.eye(100)).max() < 0.001
    best = (svds(matrix, k=100, return_singular_vectors=False) ** 2).sum()
    kept = ((matrix @ basis) ** 2).sum()
    assert 0.99 < kept / best < 1.001


@pytest.mark.parametrize(
    ("signatures", "size", "placed"),
    [
        ([], 0, 0),
        (["no company here"], 0, 0),
        (["one alone", "another by itself"], 0, 0),
        (["disk full", "disk broken"], 1, 2),
        (["disk full now", "disk broken now", "network down"], 1, 2),
        (["disk full", "disk broken", "fan full", "fan broken"], 3, 4),
        (["disk full"] * 150 + ["fan broken"] * 150 + ["disk broken"] * 50, 3, 350),
    ],
    ids=["none", "one", "two strangers", "two", "a stranger", "four", "many alike"],
)
def test_few_entries_have_as_many_dimensions_as_they_span(
    culdesac: Run, tmp_path: Path, signatures: list[str], size: int, placed: int
) -> None:
    """With warnings as errors."""
    documents = [{"id": f"{n}a{n}/{n}b{n}", "signature": text} for n, text in enumerate(signatures)]
    documents = documents or [{"id": "0a/0b", "signature": "gone"}]
    source = tmp_path / "few.jsonl"
    source.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    path = tmp_path / "few.db"
    done = culdesac("ingest", source, "--db", path)
    assert (done.returncode, done.stderr) == (0, "")
    if not signatures:
        assert culdesac("remove", "0a/0b", "--db", path).returncode == 0
    assert dimensions(path) == ([str(size)] if size else [])
    entries = vectors(path, "entry")
    assert len(entries) == placed
    assert {len(vector) for vector in entries.values()} == ({size} if size else set())
    assert rows(path, "SELECT count(*) FROM entries") == [(len(signatures),)]


@pytest.mark.parametrize("size", [50, 119, 120, 5_000])
def test_a_sample_is_evenly_spread(sample_db: Path, size: int) -> None:
    with closing(sqlite3.connect(sample_db)) as connection:
        found = [pk for pk, _ in connection.execute(statement("tokens"), {"entries": 120, "size": size})]
    assert len(found) == min(size, 120)
    gaps = {later - pk for pk, later in pairwise(found)}
    assert max(gaps) - min(gaps) <= 1
    assert found == sorted(found)


def test_a_large_file_has_its_space_from_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 60 entries and 300 words were many: every entry has a vector all the same."""
    monkeypatch.setattr(latent, "_SAMPLE", 60)
    monkeypatch.setattr(latent, "_WORDS", 300)
    path = make(tmp_path / "large.db", sample())
    said = texts(path)
    held = Counter(word for pk in said if pk % 2 == 0 for word in said[pk])
    widest = sorted(held, key=lambda word: (-held[word], word))[:300]
    assert vectors(path, "word").keys() == set(widest)
    entries = vectors(path, "entry")
    assert entries.keys() == said.keys()
    assert {len(vector) for vector in entries.values()} == {60}
    assert all(abs(math.hypot(*vector) - _LENGTH) <= _ROUNDING for vector in entries.values())


def test_sums_are_the_same_in_any_order(corpus_db: Path) -> None:
    """Processors and libraries add in orders of their own: every sum is one of whole numbers that float64 holds."""
    with closing(sqlite3.connect(corpus_db)) as connection:
        words, weights, matrix = latent._sample(connection, 2_580)
    space = latent._space(matrix)
    order = np.random.default_rng(1).permutation(len(words))
    assert (latent._space(matrix[:, order]) == space[:, order]).all()
    fractions = space / 3
    assert (latent._length(fractions[:, order]) == latent._length(fractions)).all()
    columns = {word: number for number, word in enumerate(words)}
    weighed = latent._weighed(latent._frequencies([" ".join(words * 3)], columns)[:, : len(words)], weights)
    for values in (matrix.data, space, weighed.data):
        assert np.abs(values).max() > 1000
        assert (values == np.rint(values)).all()
    assert (weighed.data**2).sum() < 2**53


def test_a_file_made_of_files_has_the_vectors_of_all(tmp_path: Path, sample_db: Path) -> None:
    half = make(tmp_path / "half.db", sample()[:60])
    assert len(vectors(half, "entry")) == 60
    target = tmp_path / "both.db"
    ingest(target, half)
    ingest(target, sample_db)
    for kind in ("word", "entry"):
        assert vectors(target, kind) == vectors(sample_db, kind)
    ingest(Path(shutil.copy(sample_db, tmp_path / "again.db")), SAMPLE)
    assert (tmp_path / "again.db").read_bytes() == sample_db.read_bytes()
