"""A Datasette to ask without a server, and what tests of the web ask it for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasette.app import Datasette
from httpx import Response

LOG = """Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss.backward()
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity)
"""
OOM = "pytorch/cuda-out-of-memory-training"


class Site:
    """A Datasette and a loop of its own to ask it in."""

    def __init__(self, *paths: Path, **options: Any) -> None:
        self.datasette = Datasette([str(path) for path in paths], **options)
        self._runner = asyncio.Runner()

    def get(self, path: str, **options: Any) -> Response:
        return self.ask("GET", path, **options)

    def post(self, path: str, **options: Any) -> Response:
        return self.ask("POST", path, **options)

    def ask(self, method: str, path: str, **options: Any) -> Response:
        found: Response = self._runner.run(self.datasette.client.request(method, path, **options))
        return found

    def run(self, awaitable: Any) -> Any:
        """Run something else in the site's loop."""
        return self._runner.run(awaitable)

    def close(self) -> None:
        self._runner.close()
        for database in self.datasette.databases.values():
            database.close()
        if self.datasette.executor:
            self.datasette.executor.shutdown()


Open = Callable[..., Site]


def rows(web: Site, path: str, **parameters: str) -> list[dict[str, Any]]:
    answer = web.get(path, params={"_shape": "array", **parameters})
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()
    return found


def facets(web: Site, address: str) -> dict[str, Any]:
    """The facets that Datasette's JSON has; 1.0 is asked for them, and puts them one deeper."""
    found: dict[str, Any] = web.get(f"{address}&_extra=facet_results").json()["facet_results"]
    return found["results"] if "timed_out" in found else found
