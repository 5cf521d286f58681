"""A corpus of any size, made from a vocabulary with a Zipf tail: the same number always gives the same bytes.

Entries look like the public ones in length and in their parts, so that a file's size per entry means something; their
words don't mean anything.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

_SEED = 20260301
_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"
_DOMAINS = 40
_CATEGORIES = ["build_error", "runtime_error", "network_error", "memory_error", "permission_error", "config_error"]
_SYSTEMS = ["linux", "windows", "macos"]


class Vocabulary:
    """Words of which the k-th is said 1/k as often as the first; a few new ones turn up for ever."""

    def __init__(self, source: random.Random, size: int = 30_000) -> None:
        self._source = source
        self._words = [self._word(number) for number in range(size)]
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(size)))

    @staticmethod
    def _word(number: int) -> str:
        """The number written in syllables, so that no two words are alike."""
        word = ""
        number += 40
        while number:
            number, syllable = divmod(number, len(_CONSONANTS) * len(_VOWELS))
            word += _CONSONANTS[syllable // len(_VOWELS)] + _VOWELS[syllable % len(_VOWELS)]
        return word

    def text(self, least: int, most: int) -> str:
        """So many words; one in fifty is a number, one in a hundred a name that no other entry has."""
        chosen = self._source.choices(self._words, cum_weights=self._weights, k=self._source.randint(least, most))
        for place in range(len(chosen)):
            dice = self._source.random()
            if dice < 0.02:
                chosen[place] = str(self._source.randint(1, 9999))
            elif dice < 0.03:
                chosen[place] += self._word(self._source.randrange(10**6, 10**8))
        return " ".join(chosen)


def entries(count: int) -> Iterator[dict[str, Any]]:
    """So many documents in the nested dialect."""
    source = random.Random(_SEED)
    vocabulary = Vocabulary(source)
    for number in range(count):
        yield _entry(number, source, vocabulary)


def _entry(number: int, source: random.Random, vocabulary: Vocabulary) -> dict[str, Any]:
    domain = f"domain{source.randrange(_DOMAINS)}"
    signature = f"{vocabulary.text(1, 2).title().replace(' ', '')}Error: {vocabulary.text(4, 12)}"
    system = source.choice(_SYSTEMS)
    rates = [round(source.uniform(0.5, 0.95), 2) for _ in range(8)]
    entry_id = f"{domain}/{'-'.join(signature.lower().replace(':', '').split()[:4])}-{number}/{system}"
    date = f"202{source.randrange(3, 6)}-0{source.randrange(1, 9)}-1{source.randrange(0, 9)}"
    return {
        "schema_version": "1.0.0",
        "id": entry_id,
        "url": f"https://example.org/{entry_id}",
        "error": {
            "signature": signature,
            "regex": signature.replace(" ", r"\s+"),
            "domain": domain,
            "category": source.choice(_CATEGORIES),
            "first_seen": "2023-01-01",
            "last_confirmed": date,
        },
        "environment": {"runtime": {"name": f"tool{source.randrange(300)}", "version_range": ">=2.0"}, "os": system},
        "verdict": {
            "resolvable": source.choice(["true", "partial"]),
            "fix_success_rate": rates[0],
            "confidence": rates[1],
            "last_updated": date,
            "summary": vocabulary.text(10, 25),
        },
        "dead_ends": [
            {
                "action": vocabulary.text(4, 9),
                "why_fails": vocabulary.text(8, 16),
                "fail_rate": rates[2 + place],
                "sources": ["https://example.org/docs"],
                "condition": "",
            }
            for place in range(2)
        ],
        "workarounds": [
            {
                "action": vocabulary.text(4, 9),
                "success_rate": rates[5 + place],
                "how": vocabulary.text(8, 20),
                "sources": [],
                "condition": "",
            }
            for place in range(2)
        ],
        "transition_graph": {"leads_to": [], "preceded_by": [], "frequently_confused_with": []},
        "metadata": {
            "generated_by": "bench",
            "generation_date": date,
            "review_status": "auto_generated",
            "evidence_count": source.randint(1, 400),
            "last_verification": date,
        },
    }


def write(path: Path, count: int) -> Path:
    """Write so many documents as JSON Lines, unless they are there."""
    if not path.exists():
        building = path.with_suffix(".building")
        with building.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries(count))
        building.rename(path)
    return path
