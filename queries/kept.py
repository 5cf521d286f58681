"""What was read of an open file, kept for the next query: the latest, up to a number."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Kept(Generic[_Key, _Value]):
    """Something of each entry, by pk, or of each word.

    When there are more than `most`, all are forgotten before the next are read.
    """

    def __init__(self, most: int, read: Callable[[list[_Key]], Mapping[_Key, _Value]]) -> None:
        self._most = most
        self._read = read
        self._values: dict[_Key, _Value] = {}

    def get(self, keys: Iterable[_Key]) -> list[_Value]:
        """Those of these, in order; what isn't there has none."""
        wanted = list(keys)
        if len(self._values) > self._most:
            self._values.clear()
        missing = [key for key in wanted if key not in self._values]
        if missing:
            self._values.update(self._read(missing))
        return [self._values[key] for key in wanted if key in self._values]
