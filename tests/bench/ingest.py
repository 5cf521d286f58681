"""Ingest: entries a second, peak memory, file size, and how far from the floor. `make bench` runs it.

Every figure comes from a process of its own, so that memory is that of one ingest and nothing is warm but the disk.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench import corpus

ROOT = Path(__file__).resolve().parents[2]
_INGEST = """
import json, resource, sys, time
from pathlib import Path
from culdesac.ingest.run import Ingest, Options
from culdesac.shipped import shipped_queries
started = time.perf_counter()
run = Ingest(Options(), print, lambda stage, done, total: None, sys.stdin.buffer, shipped_queries())
run.run([sys.argv[1]], Path(sys.argv[2]))
seconds = time.perf_counter() - started
segmenters = sorted({"jieba", "rjieba"} & set(sys.modules))
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, segmenters]))
"""
_CHECKS = """
import json, sqlite3, sys, time
from culdesac.db.read import read_all
from culdesac.ingest.checks import CheckOptions, check_across, check_entry
connection = sqlite3.connect(sys.argv[1])
seconds = 0.0
for stored in read_all(connection):
    started = time.perf_counter()
    check_entry(stored.rows, CheckOptions())
    seconds += time.perf_counter() - started
started = time.perf_counter()
for _ in check_across(connection, CheckOptions()):
    pass
print(json.dumps(seconds + time.perf_counter() - started))
"""
_COUNT = """
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM entries").fetchone()[0])
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One corpus. Seconds; `memory` in MiB at its peak; `size` of the file in bytes."""

    name: str
    entries: int
    seconds: float
    checks: float
    floor: float
    memory: float
    size: int

    def row(self) -> str:
        """A line of the table."""
        without = self.seconds - self.checks
        return (
            f"| {self.name} | {self.entries:,} | {self.seconds:.2f} s | {self.entries / self.seconds:,.0f} | "
            f"{self.checks:.2f} s | {self.floor:.2f} s | {without / self.floor:.2f} | {self.memory:.0f} MiB | "
            f"{self.size / self.entries / 1000:.1f} kB |"
        )


HEAD = (
    "| corpus | entries | ingest | entries/s | of it checks | floor | ingest without checks : floor | peak memory "
    "| file per entry |\n|---|---|---|---|---|---|---|---|---|"
)


def measure(name: str, source: Path, work: Path) -> Measured:
    """Ingest a source into a new file, then time the floor and the checks on the same rows."""
    target = work / f"{source.name.split('.')[0]}.db"
    target.unlink(missing_ok=True)
    seconds, kilobytes, segmenters = _python("-c", _INGEST, source, target)
    if source.suffix == ".jsonl":
        assert segmenters == [], "made text has no Chinese: nothing may load a segmenter"
    checks = _python("-c", _CHECKS, target)
    floor = _python("-m", "tests.bench.floor", source, target)
    entries = _python("-c", _COUNT, target)
    return Measured(name, entries, seconds, checks, floor, kilobytes / 1024, target.stat().st_size)


def _python(*arguments: object) -> Any:
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(done.stdout.splitlines()[-1])


def sources(sizes: list[int], work: Path) -> list[tuple[str, Path]]:
    """The public corpus where it lies beside the checkout, and made ones of the given sizes."""
    found = []
    public = ROOT.parent / "shared/corpus/canons.jsonl.gz"
    if public.exists():
        found.append(("public corpus", public))
    return found + [("made", corpus.write(work / f"made{size}.jsonl", size)) for size in sizes]
