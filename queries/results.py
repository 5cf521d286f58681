"""Results as they are shown: what was found, with the text that matches best."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from culdesac.queries.answer import CONFIDENT, Result, Snippet, Why
from culdesac.queries.contents import Content, ContentStore
from culdesac.queries.evidence import Evidence
from culdesac.queries.glossary import Simplify
from culdesac.queries.mark import best_snippet
from culdesac.queries.query import Query

_MATCHED = 300


@dataclass(frozen=True, slots=True)
class Found:
    """An error that was found: its entries that were weighed, best first; of the best one all its words and the
    evidence; its score."""

    pks: list[int]
    words: Collection[str]
    evidence: Evidence
    score: float


class ResultReader:
    """Makes results of one query from an open file."""

    def __init__(self, contents: ContentStore, query: Query, simplify: Simplify, lang: str | None) -> None:
        self._contents = contents
        self._query = query
        self._simplify = simplify
        self._lang = lang

    def read(self, found: Sequence[Found]) -> list[Result]:
        """The results, in order."""
        contents = self._contents.get(error.pks[0] for error in found)
        return [self._result(error, content) for error, content in zip(found, contents, strict=True)]

    def _result(self, found: Found, content: Content) -> Result:
        lines = self._query.lines
        line = found.evidence.line or (lines[0] if lines else None)
        return Result(
            id=content.id,
            error_id=content.error_id,
            # Those that were found in their order, then the others by quality.
            variants=tuple(content.variants[pk] for pk in dict.fromkeys([*found.pks, *content.variants])),
            score=found.score,
            confident=found.score >= CONFIDENT,
            signature=content.signature,
            signature_zh=content.signature_zh,
            domain=content.domain,
            resolvable=content.resolvable,
            fix_success_rate=content.fix_success_rate,
            why=Why(found.evidence.regex > 0, line.number if line else 1, line.text[:_MATCHED] if line else ""),
            snippet=self._snippet(content, found.words),
            workarounds=content.workarounds,
            dead_ends=content.dead_ends,
        )

    def _snippet(self, content: Content, held: Collection[str]) -> Snippet:
        """The text that matches best; of an entry's Chinese, where that was asked for and matches at all."""
        if self._lang == "zh":
            chinese = [text for text in content.texts if "_zh" in text.field]
            found = best_snippet(chinese, self._query.marked, self._simplify)
            if found.marks:
                return found
        return best_snippet(content.texts, self._query.marked, self._simplify, held)
