"""`make bench`: measure and print tables in Markdown. `--sizes 100000,1000000` are the made corpora."""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import ingest, pages, quality, scale  # noqa: E402


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100000,1000000")
    parser.add_argument("--repeat", type=int, default=3, help="runs of the small corpora; the median is shown")
    options = parser.parse_args()
    work = ROOT / "build/bench"
    work.mkdir(parents=True, exist_ok=True)
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} cores\n")
    if quality.PUBLIC.exists():
        quality.tables()
    print("\n## Ingest\n")
    print(ingest.HEAD)
    sizes = [int(size) for size in options.sizes.split(",") if size]
    for name, source in ingest.sources(sizes, work):
        repeat = options.repeat if name == "public corpus" else 1
        runs = sorted((ingest.measure(name, source, work) for _ in range(repeat)), key=lambda run: run.seconds)
        print(runs[len(runs) // 2].row(), flush=True)
    print(f"\n## Large files\n\n{scale.HEAD}")
    for path in sorted(work.glob("made*.db"), key=lambda path: path.stat().st_size):
        print(scale.row(path), flush=True)
    print("\n## Pages\n")
    sites = pages.sites(work)
    print("\n".join(pages.table(sites)), flush=True)
    for path in sites:
        print(f"\n{path.stem}: {pages.crowd(path)}", flush=True)


if __name__ == "__main__":
    main()
