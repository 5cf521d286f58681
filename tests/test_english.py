"""Questions in everyday English: the files keep their format, and what a person says finds what an entry says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import culdesac
from culdesac.queries.engine import Engine, Filters
from culdesac.queries.lines import Line
from culdesac.queries.lines import phrases as line_phrases
from culdesac.queries.phrases import countries, phrases, said
from culdesac.queries.spelling import stem
from culdesac.queries.sql import FOLDER
from culdesac.queries.stopwords import STOP_WORDS
from tests.conftest import ingest
from tests.test_invariants import write_lines

FILES = ("synonyms_en.tsv", "places_en.tsv")
PHRASE = re.compile(r"[/.]?[^\W_]+([ .'+#/_-]+[^\W_]+)*[+#]*")

ENTRIES = {
    "embedded/brownout": ("BOR: brownout reset detected", None),
    "embedded/motor": ("PWM: overcurrent fault on motor driver", None),
    "python/pip": ("error: externally-managed-environment", "pip install --break-system-packages NAME"),
    "python/yanked": ("a yanked release", "the system has packages, break glass"),
    "data/loader": ("DataLoader worker (pid X) is killed", None),
    "data/dataloader": ("dataloader num_workers out of shared memory", None),
    "web/redirect": ("too many redirects", None),
    "web/duplicate": ("duplicate delivery of a webhook", None),
    "visa/overstay/kr": ("overstay of a visa leads to a ban", None),
    "visa/overstay-fine/cl": ("overstay of a visa leads to a fine", None),
    "cuda/torch": ("torch: device lost", None),
    "cuda/pytorch": ("pytorch: tensor lost", None),
    "cuda/oom": ("RuntimeError: CUDA out of memory", None),
    "cuda/ecc": ("CUDA memory: CUDA memory fault", None),
    "build/wrapper": ("FAILURE: Build failed with an exception", None),
    "build/kotlin": ("Module was compiled with an incompatible version of Kotlin", None),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("english")
    documents = []
    for entry_id, (signature, action) in ENTRIES.items():
        document: dict[str, object] = {"id": entry_id, "signature": signature}
        if entry_id.count("/") > 1:
            document["country"] = entry_id[-2:]
        if action:
            document["workarounds"] = [{"action": action}]
        documents.append(document)
    ingest(folder / "e.db", write_lines(folder / "e.jsonl", documents))
    with culdesac.open(folder / "e.db") as engine:
        yield engine


def lines(name: str) -> list[list[str]]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(("name", "columns"), [("synonyms_en.tsv", 2), ("places_en.tsv", 3)])
def test_files_keep_their_format(name: str, columns: int) -> None:
    rows = lines(name)
    assert len(rows) > 1_000
    for row in rows:
        assert len(row) == columns, row
        key, renderings = row[0], row[1].split("; ")
        assert PHRASE.fullmatch(key), row
        assert key == key.lower(), row
        assert STOP_WORDS.isdisjoint(key.split()), f"{key}: a stop word never matches"
        assert all(PHRASE.fullmatch(text) and text == text.lower() for text in renderings), row
        assert len(set(renderings)) == len(renderings) <= 12, row
        assert columns == 2 or re.fullmatch("[a-z]{2}", row[2]), row
    twice = [key for key, count in Counter(row[0] for row in rows).items() if count > 1]
    assert not twice, "a phrase stands in one line"


def test_places_know_their_countries() -> None:
    assert countries()["seoul",] == countries()["south", "korea"] == "kr"
    assert countries()["london",] == "gb", "as ISO 3166 has it"


def test_stems_of_forms_are_the_same() -> None:
    verbs = "restart restarts restarted restarting; stop stopped stopping; copy copies copied copying; go went gone"
    verbs += "; cache caches cached caching; freeze froze frozen freezing; lose lost losing"
    for forms in verbs.split("; "):
        assert len({stem(form) for form in forms.split()}) == 1, forms


def test_every_line_can_be_found() -> None:
    for name in FILES:
        for key, *_ in lines(name):
            stems = tuple(stem(word) for word in key.split())
            assert stems in {phrase.stems for phrase, _ in said(key.split(), STOP_WORDS)}, key


@given(st.lists(st.text(max_size=30), max_size=12))
def test_any_words_are_looked_for(asked: list[str]) -> None:
    for phrase, own in said(asked, STOP_WORDS):
        assert own <= set(asked)
        assert len(own) <= len(phrase.stems)


def test_phrases_are_found_with_a_word_between_and_longer_ones_first() -> None:
    assert "stay long" in [phrase.key for phrase in phrases(stem("stay"))]
    found = {phrase.key: own for phrase, own in said(["stayed", "there", "week", "too", "long", "twice"], STOP_WORDS)}
    assert found["stay long"] == {"stayed", "long"}
    assert found["twice"] == {"twice"}


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("it reboots by itself", "embedded/brownout"),
        ("we get the webhook twice", "web/duplicate"),
        ("break-system-packages raspberry pi", "python/pip"),
        ("data loader num workers", "data/dataloader"),
        ("I stayed too long in Seoul", "visa/overstay"),
        ("stayed too long in santiago de chile", "visa/overstay-fine"),
        ("torch lost", "cuda/torch"),
        ("CUDA out of memory", "cuda/oom"),
    ],
)
def test_a_question_finds_its_error(file: Engine, question: str, entry: str) -> None:
    assert file.search(question).results[0].error_id == entry


def test_the_country_asked_about_speaks_for_and_another_against(file: Engine) -> None:
    _, candidates = file.candidates("stayed too long in Korea", Filters())
    country = {candidate.card.error_id: candidate.evidence.country for candidate in candidates}
    assert country["visa/overstay"] == 1.0
    assert country["visa/overstay-fine"] == -1.0


def test_a_line_that_wraps_an_error_speaks_with_less_weight(file: Engine) -> None:
    log = "e: Module was compiled with an incompatible version of Kotlin.\n\nFAILURE: Build failed with an exception."
    assert file.search(log).results[0].error_id == "build/kotlin"
    assert file.search("FAILURE: Build failed with an exception.").results[0].error_id == "build/wrapper"


def test_phrases_of_wrappers_are_folded_words() -> None:
    for several in line_phrases("wrappers.txt").values():
        for phrase in several:
            assert all(re.fullmatch("[a-z0-9]+", word) for word in phrase), phrase
            assert Line(1, "", ("x", *phrase, "y")).wraps
            assert not Line(1, "", tuple(word for pair in phrase for word in (pair, "x"))).wraps or len(phrase) == 1


def test_a_short_line_that_a_program_printed_is_no_question(file: Engine) -> None:
    assert not file.candidates("error: externally-managed-environment", Filters())[0].prose
    assert file.candidates("why error: externally-managed-environment?", Filters())[0].prose
    assert file.candidates("pip externally managed", Filters())[0].prose


def test_a_name_is_known_when_its_words_are(file: Engine) -> None:
    unknown = file.candidates("BrownoutResetError duplicateDelivery QuuxDelivery", Filters())[0].unknown
    assert "brownoutreseterror" not in unknown, "brownout, reset, and error"
    assert "duplicatedelivery" not in unknown
    assert {"quuxdelivery", "quux"} <= unknown


def test_the_files_are_shipped() -> None:
    names = (*FILES, "irregular_en.txt", "wrappers.txt", "success.txt", "stopwords.txt")
    assert all((Path(FOLDER) / name).is_file() for name in names)
