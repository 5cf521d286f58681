"""How long the site takes for each of its pages, and whether it bears many requests at a time."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
from datasette.app import Datasette

from culdesac.plugins.web.serve import site
from tests.bench import corpus
from tests.needs import ROOT

_RUNS = 40
_REQUESTS, _AT_A_TIME = 200, 16
HEAD = "| page | {} |\n|---|{}|"
#: The page that the others are compared with: Datasette's own, of the same file.
BASELINE = "Datasette's table page"
_SERVE = """
import sys
from pathlib import Path
from culdesac.plugins.web.serve import serve
serve(Path(sys.argv[1]), port=0, ready=lambda address: print(address, flush=True))
"""
_NOISE = "INFO step 17 of the build went well, nothing to see here\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a request is made of."""

    id: str
    signature: str
    domain: str
    os: str


def _entries(path: Path, count: int) -> list[Entry]:
    sql = (
        "SELECT id, signature, domain, coalesce(os, 'linux') FROM entries WHERE pk IN (SELECT value FROM json_each(?))"
    )
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        chosen = random.Random(7).sample(range(1, entries + 1), min(count, entries))
        return [Entry(*row) for row in connection.execute(sql, (str(chosen),))]


def _search(text: str, path: str = "/search", **facets: str) -> str:
    return f"{path}?{urlencode({'q': text, **facets})}"


def _log(entry: Entry) -> str:
    return _NOISE * 20 + entry.signature + "\n" + _NOISE * 19


#: The pages and how each is asked for, about a given entry.
PAGES: dict[str, Callable[[Entry], str]] = {
    BASELINE: lambda entry: f"/{{database}}/entries?domain={quote(entry.domain)}",
    "home": lambda entry: "/?lang=en",
    "results: a line": lambda entry: _search(entry.signature),
    "results: a log of 40 lines": lambda entry: _search(_log(entry)),
    "results: Chinese": lambda entry: _search(f"显存不足怎么办 {entry.domain}"),
    "results: a line, two facets": lambda entry: _search(entry.signature, domain=entry.domain, os=entry.os),
    "a list: a domain": lambda entry: f"/search?domain={quote(entry.domain)}",
    "a list: most entries": lambda entry: f"/search?os={quote(entry.os)}",
    "/search.json": lambda entry: _search(entry.signature, "/search.json"),
    "entry": lambda entry: f"/entry/{quote(entry.id)}",
    "entry as JSON": lambda entry: f"/entry/{quote(entry.id)}.json",
    "entry as Markdown": lambda entry: f"/entry/{quote(entry.id)}.md",
    "overview": lambda entry: "/overview",
    "site map": lambda entry: "/sitemap.xml?page=1",
}


def measure(path: Path) -> dict[str, tuple[float, float]]:
    """Median and 95th percentile in ms of each page, in one warm process, from the request to the whole answer."""
    datasette = site(path)
    try:
        with asyncio.Runner() as runner:
            return {name: runner.run(_times(datasette, path, make)) for name, make in PAGES.items()}
    finally:
        for database in datasette.databases.values():
            database.close()


async def _times(datasette: Datasette, path: Path, make: Callable[[Entry], str]) -> tuple[float, float]:
    times = []
    for number, entry in enumerate(_entries(path, _RUNS)):
        address = make(entry).format(database=path.stem)
        started = time.perf_counter()
        answer = await datasette.client.get(address)
        if number:  # the first request of a page loads its template
            times.append((time.perf_counter() - started) * 1000)
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
    times.sort()
    return times[len(times) // 2], times[int(0.95 * len(times))]


def table(paths: list[Path]) -> Iterator[str]:
    """The table: a line for each page, two columns for each file."""
    found = [measure(path) for path in paths]
    names = []
    for path in paths:
        with closing(sqlite3.connect(path)) as connection:
            (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        names += [f"{entries:,} entries", "to Datasette's"]
    yield HEAD.format(" | ".join(names), "---|" * (len(names) - 1) + "---")
    for page in PAGES:
        cells = []
        for times in found:
            median, slow = times[page]
            cells += [f"{median:.1f} / {slow:.1f}", f"{median / times[BASELINE][0]:.2f}"]
        yield f"| {page} | {' | '.join(cells)} |"


def crowd(path: Path) -> str:
    """200 requests of all pages, 16 at a time, over HTTP from another process: a line that says how it went."""
    entries = _entries(path, _REQUESTS)
    makes = [make for name, make in PAGES.items() if name != "site map"]
    addresses = [
        makes[at % len(makes)](entries[at % len(entries)]).format(database=path.stem) for at in range(_REQUESTS)
    ]
    with _served(path) as server, httpx.Client(base_url=server, timeout=60, trust_env=False) as client:

        def ask(address: str) -> tuple[int, float]:
            started = time.perf_counter()
            return client.get(address).status_code, (time.perf_counter() - started) * 1000

        started = time.perf_counter()
        with ThreadPoolExecutor(_AT_A_TIME) as threads:
            answers = list(threads.map(ask, addresses))
        seconds = time.perf_counter() - started
    failed = sum(status != 200 for status, _ in answers)
    times = sorted(took for _, took in answers)
    median, slow = times[len(times) // 2], times[int(0.95 * len(times))]
    return (
        f"{_REQUESTS} requests of all pages, {_AT_A_TIME} at a time: {failed} failed, {_REQUESTS / seconds:.0f} "
        f"a second, median {median:.0f} ms, 95th percentile {slow:.0f} ms"
    )


@contextmanager
def _served(path: Path) -> Iterator[str]:
    command = [sys.executable, "-c", _SERVE, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            server.wait(20)


def sites(work: Path) -> list[Path]:
    """The files that are served: the public corpus with the sample, as the targets are set for, and a large one."""
    public = ROOT.parent / "shared/corpus/canons.jsonl.gz"
    large = work / "made100000.db"
    found = [_ingested(work / "errors.db", public, "--sample")] if public.exists() else []
    return [*found, _ingested(large, corpus.write(large.with_suffix(".jsonl"), 100_000))]


def _ingested(target: Path, *sources: Path | str) -> Path:
    if not target.exists():
        command = [sys.executable, "-m", "culdesac", "ingest", *map(str, sources), "--db", str(target)]
        subprocess.run(command, check=True, capture_output=True)
    return target


if __name__ == "__main__":
    work = ROOT / "build/bench"
    work.mkdir(parents=True, exist_ok=True)
    files = sites(work)
    print("\n".join(table(files)))
    for file in files:
        print(f"\n{file.stem}: {crowd(file)}")
