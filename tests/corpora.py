"""The real documents that tests run over."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from culdesac.ingest.run import SAMPLE
from tests.needs import shared


def sample() -> list[dict[str, Any]]:
    """The shipped sample: 120 flat documents."""
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def public() -> list[dict[str, Any]]:
    """The public corpus: 2,460 nested documents."""
    with gzip.open(shared("corpus/canons.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def seed() -> dict[str, Any]:
    """The JSON document that the project started from."""
    document: dict[str, Any] = json.loads(shared("seeds/002_2f36a61bd99dd588.txt").read_text(encoding="utf-8"))
    return document


def documents() -> Iterator[dict[str, Any]]:
    """All of them."""
    yield from sample()
    yield seed()
    yield from public()
