"""What was read of an open file, kept for the next query: the latest, up to a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Kept(Generic[_Value]):
    """Something of each entry, by pk. When there are more than `most`, all are forgotten before the next are read."""

    def __init__(self, most: int, read: Callable[[list[int]], Mapping[int, _Value]]) -> None:
        self._most = most
        self._read = read
        self._values: dict[int, _Value] = {}

    def get(self, pks: Iterable[int]) -> list[_Value]:
        """Those of these entries, in order; an entry that isn't there has none."""
        wanted = list(pks)
        if len(self._values) > self._most:
            self._values.clear()
        missing = [pk for pk in wanted if pk not in self._values]
        if missing:
            self._values.update(self._read(missing))
        return [self._values[pk] for pk in wanted if pk in self._values]
