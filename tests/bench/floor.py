"""The floor under an ingest: decode the JSON with the same library, insert the same rows and tokens with bare
executemany, make the same indexes. No reading of dialects, no segmenting, no checks, no order, no safety.

The rows come from the file that Culdesac made, read before the clock starts. `python -m tests.bench.floor JSONL DB`
prints the seconds that the floor takes; the table of docs/benchmarks.md has the ratio.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
import time
from pathlib import Path

import msgspec

from culdesac.db.sql import script

_TABLES = (
    "entries", "versions", "workarounds", "dead_ends", "step_sources", "transitions", "environments", "tags",
    "aliases", "os_notes", "entries_fts_tokens", "workarounds_fts_tokens", "dead_ends_fts_tokens", "signature_keys",
    "signature_words", "folds", "words_tw", "word_vectors", "entry_vectors",
)  # fmt: skip
#: Rows held in memory at a time: what is read of the made file while the clock is stopped.
_BATCH = 20_000


def floor(source: Path, made: Path, target: Path) -> float:
    """Seconds to decode `source` and write the rows of `made` to `target`."""
    decoder = msgspec.json.Decoder()
    seconds = 0.0
    with gzip.open(source) if source.suffix == ".gz" else source.open("rb") as lines:
        started = time.perf_counter()
        for line in lines:
            decoder.decode(line)
        seconds += time.perf_counter() - started
    read = sqlite3.connect(f"file:{made}?mode=ro", uri=True)
    write = sqlite3.connect(target, isolation_level=None)
    started = time.perf_counter()
    write.executescript(script("building"))
    write.executescript(script("schema"))
    write.execute("BEGIN")
    seconds += time.perf_counter() - started
    for table in _TABLES:
        cursor = read.execute(f"SELECT * FROM {table}")
        insert = f"INSERT INTO {table} VALUES ({','.join('?' * len(cursor.description))})"
        while rows := cursor.fetchmany(_BATCH):
            started = time.perf_counter()
            write.executemany(insert, rows)
            seconds += time.perf_counter() - started
    started = time.perf_counter()
    write.execute("COMMIT")
    write.executescript(script("indexes"))
    write.executescript(script("finish"))
    write.close()
    return seconds + time.perf_counter() - started


def main() -> None:
    """Print the seconds as JSON."""
    source, made = map(Path, sys.argv[1:3])
    target = made.with_suffix(".floor")
    target.unlink(missing_ok=True)
    try:
        print(json.dumps(floor(source, made, target)))
    finally:
        target.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
