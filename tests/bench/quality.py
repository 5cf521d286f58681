"""Quality and speed beside other engines, on the same data and queries, in one run.

The public corpus; the labelled queries and the generated test. Each rival gets the same text of an entry: signature,
keywords, root cause, workarounds, dead ends; and the same query: its words. FTS5 is searched as ten lines of plain SQL
would, any word, bm25 weighted by column.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from culdesac.db.text import fold, words
from culdesac.ingest.run import Ingest, Options
from culdesac.queries.answer import Answer
from culdesac.queries.engine import Engine
from culdesac.queries.evaluate import Labelled, Outcome, judge, read_labelled, report
from tests.eval.generated import alone
from tests.eval.generated import other_codes as wrong_codes
from tests.eval.generated import queries as generate

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ROOT.parent / "shared/corpus/canons.jsonl.gz"
_WORK = ROOT / "build/bench"
_COLUMNS = ("signature", "keywords", "root_cause", "workarounds", "dead_ends")
Search = Callable[[str], Sequence[str]]


def corpus_file() -> Path:
    """A file made from the public corpus."""
    _WORK.mkdir(parents=True, exist_ok=True)
    path = _WORK / "public.db"
    path.unlink(missing_ok=True)
    Ingest(Options(), print, lambda stage, done, total: None, sys.stdin.buffer).run([str(PUBLIC)], path)
    return path


@cache
def generated() -> list[Labelled]:
    """The generated test over the public corpus."""
    with gzip.open(PUBLIC, "rt", encoding="utf-8") as lines:
        return [read_labelled(row) for row in generate(json.loads(line) for line in lines)]


def messages_alone() -> list[Labelled]:
    """The messages of the public corpus with other values, each on a line of its own."""
    with gzip.open(PUBLIC, "rt", encoding="utf-8") as lines:
        return [read_labelled(row) for row in alone(json.loads(line) for line in lines)]


def other_codes() -> list[Labelled]:
    """Signatures of the public corpus with other codes: queries without an answer."""
    with gzip.open(PUBLIC, "rt", encoding="utf-8") as lines:
        return [read_labelled(row) for row in wrong_codes(json.loads(line) for line in lines)]


def rows(path: Path) -> list[tuple[str, ...]]:
    """error_id and the five texts of every entry, as indexed."""
    connection = sqlite3.connect(path)
    sql = f"SELECT error_id, {', '.join(f'coalesce(t.{c}, {chr(39) * 2})' for c in _COLUMNS)} " \
          "FROM entries JOIN entries_fts_tokens t USING (pk) ORDER BY pk"  # fmt: skip
    return connection.execute(sql).fetchall()


def plain_fts5(entries: list[tuple[str, ...]]) -> Search:
    """SQLite's FTS5 as Datasette would use it, but with OR and column weights, which do better than its defaults."""
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE f USING fts5 (id UNINDEXED, {', '.join(_COLUMNS)})")
    connection.executemany("INSERT INTO f VALUES (?, ?, ?, ?, ?, ?)", entries)
    sql = "SELECT id FROM f WHERE f MATCH ? ORDER BY bm25(f, 0, 10, 3, 2, 1, 0.5) LIMIT 30"

    def search(text: str) -> list[str]:
        terms = list(dict.fromkeys(words(fold(text))))[:300]
        expression = " OR ".join(f'"{term}"' for term in terms) or '""'
        return [found for (found,) in connection.execute(sql, (expression,))]

    return search


def with_bm25s(entries: list[tuple[str, ...]]) -> Search:
    """bm25s over all the text of an entry."""
    import bm25s

    index = bm25s.BM25()
    index.index([words(" ".join(entry[1:])) for entry in entries], show_progress=False)

    def search(text: str) -> list[str]:
        found, _ = index.retrieve([words(fold(text))], k=30, show_progress=False)
        return [entries[place][0] for place in found[0]]

    return search


def with_tantivy(entries: list[tuple[str, ...]]) -> Search:
    """tantivy with the same columns and weights."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    for column in _COLUMNS:
        builder.add_text_field(column)
    index = tantivy.Index(builder.build())
    writer = index.writer()
    for entry in entries:
        writer.add_document(tantivy.Document(**dict(zip(("id", *_COLUMNS), entry, strict=True))))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    boosts = dict(zip(_COLUMNS, (10.0, 3.0, 2.0, 1.0, 0.5), strict=True))

    def search(text: str) -> list[str]:
        terms = " ".join(dict.fromkeys(words(fold(text))))
        query, _ = index.parse_query_lenient(terms, list(_COLUMNS), field_boosts=boosts)
        return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, 30).hits]

    return search


def measure(ask: Callable[[Labelled], Outcome], queries: Sequence[Labelled]) -> tuple[list[Outcome], float]:
    """Ask every query twice, and time the second round: outcomes, median in ms."""
    outcomes = [ask(query) for query in queries]
    times = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append(time.perf_counter() - started)
    return outcomes, statistics.median(times) * 1000


def _by_ids(search: Search) -> Callable[[Labelled], Outcome]:
    """Judge a rival, which has no confidence: it answers everything."""
    from types import SimpleNamespace

    def ask(query: Labelled) -> Outcome:
        results = [SimpleNamespace(error_id=found, confident=True, score=1.0) for found in search(query.query)]
        return judge(query, Answer(query.query, tuple(results)))  # type: ignore[arg-type]

    return ask


def table(queries: Sequence[Labelled], engine: Engine, rivals: dict[str, Search]) -> list[str]:
    """One row for each engine."""
    asked = {name: _by_ids(search) for name, search in rivals.items()}
    asked = {"culdesac": lambda query: judge(query, engine.search(query.query, n=10)), **asked}
    lines = []
    for name, ask in asked.items():
        outcomes, median = measure(ask, queries)
        found = report(outcomes)["groups"]["all"]
        columns = ("best grade first", "success@1", "success@3", "nDCG@10", "abstained")
        cells = [f"{found[column].value:.3f}" if column in found else "" for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} | {median:.1f} |")
    return lines


HEAD = (
    "| engine | best grade first | success@1 | success@3 | nDCG@10 | silent without answer | median ms |\n"
    "|---|---|---|---|---|---|---|"
)


def read(path: Path, split: str | None = None) -> list[Labelled]:
    """A file of labelled queries, or one split of it."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [read_labelled(row) for row in rows if split in (None, row.get("split"))]


def tables() -> None:
    """Print the tables."""
    path = corpus_file()
    entries = rows(path)
    makers = {"FTS5, OR, weighted bm25": plain_fts5, "bm25s": with_bm25s, "tantivy": with_tantivy}
    rivals = {name: make(entries) for name, make in makers.items()}
    shared = ROOT.parent / "shared/eval"
    labelled = [one for name in ("lookup_a", "lookup_b") for one in read(shared / f"{name}.jsonl")]
    fresh = [one for split in ("test", "later") for one in read(ROOT / "tests/eval/fresh.jsonl", split)]
    made = generated()
    with Engine(path) as engine:
        print(f"\n## Search: {len(labelled)} labelled queries over {len(entries):,} entries\n\n{HEAD}")
        print("\n".join(table(labelled, engine, rivals)))
        sets = {
            f"Generated, {form}": [one for one in made if one.kind == form][::8] for form in ("clean", "typo", "cut")
        }
        for name, chosen in {"Fresh, read by nobody": fresh, **sets}.items():
            print(f"\n### {name}: {len(chosen)} queries\n\n{HEAD}")
            print("\n".join(table(chosen, engine, rivals)), flush=True)
