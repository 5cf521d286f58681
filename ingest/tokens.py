"""What the full-text indexes hold of an entry: its words, folded and segmented, per column."""

from __future__ import annotations

from collections.abc import Iterable

from culdesac.db.rows import INDEX, EntryRows, IdParts, Row
from culdesac.db.segment import segment
from culdesac.db.text import index_text, signature_key

_W = INDEX["workarounds"]
_D = INDEX["dead_ends"]
_PACKAGE = INDEX["versions"]["package"]


class Tokenizer:
    """Makes token rows. A segmenter is loaded with the first Chinese text, and not without one."""

    def _text(self, *texts: str | None, parts: bool = False) -> str | None:
        return index_text(" ".join(filter(None, texts)), segment, parts=parts)

    def workaround(self, row: Row) -> tuple[str | None, ...]:
        """action, how (empty where it repeats the action), condition with tradeoff, text_zh."""
        action, how = row[_W["action"]], row[_W["how"]]
        return (
            self._text(action),
            self._text(how) if how != action else None,
            self._text(row[_W["condition"]], row[_W["tradeoff"]]),
            self._text(row[_W["text_zh"]]),
        )

    def dead_end(self, row: Row) -> tuple[str | None, ...]:
        """action, why_fails, condition with common_misconception."""
        return (
            self._text(row[_D["action"]]),
            self._text(row[_D["why_fails"]]),
            self._text(row[_D["condition"]], row[_D["common_misconception"]]),
        )

    def entry(
        self,
        rows: EntryRows,
        parts: IdParts,
        workarounds: list[tuple[str | None, ...]],
        dead_ends: list[tuple[str | None, ...]],
    ) -> tuple[str | None, ...]:
        """The columns of entries_fts; the steps' own tokens are joined, not made again."""
        column = rows.column
        packages = [row[_PACKAGE] for row in rows.versions]
        names = [row[0] for table in (rows.aliases, rows.tags) for row in table]
        keywords = (parts.domain, parts.slug, parts.environment, column("error_code"), column("subcategory"))
        return (
            self._text(column("signature"), parts=True),
            self._text(*keywords, column("os"), column("country"), *packages, *names),
            self._text(column("root_cause")),
            _join(text for row in workarounds for text in row[:3]),
            _join(text for row in dead_ends for text in row),
            self._text(column("signature_zh")),
            self._text(column("root_cause_zh")),
            _join(row[3] for row in workarounds),
        )


def signature_keys(rows: EntryRows) -> set[str]:
    """The normal forms under which this very message is found: signature, Chinese signature, aliases."""
    texts = [rows.column("signature"), rows.column("signature_zh"), *(row[0] for row in rows.aliases)]
    return {key for text in texts if text and (key := signature_key(text))}


def _join(texts: Iterable[str | None]) -> str | None:
    return " ".join(filter(None, texts)) or None
