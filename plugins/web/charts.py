"""Charts drawn on the server: data for the templates, in SVG's own units; colours are the stylesheet's.

Bars stand in the cells of a table, which says the same in numbers. Columns are one picture, with its numbers in a
sentence for those who hear the page and in a table under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

#: The picture of columns: its size, and the margins that hold numbers above and labels below.
WIDTH, HEIGHT, _TOP, _BOTTOM = 400, 180, 18, 24
_GAP = 0.2


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a chart. `share` is its length as a percentage of the longest."""

    label: str
    value: int
    address: str | None = None
    note: str | None = None
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chart, in the picture's units; `label` is None where labels would touch."""

    bar: Bar
    x: float
    y: float
    width: float
    height: float
    label: str | None

    @property
    def middle(self) -> float:
        """Where its texts are centred."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as the template draws it: `columns` for a picture, else its bars in a table."""

    key: str
    title: str
    label: str
    value: str
    bars: tuple[Bar, ...]
    columns: tuple[Column, ...] = ()

    def spoken(self, _: Callable[[str], str]) -> str:
        """The picture in a sentence, translated."""
        numbers = (_("{name}: {value}").format(name=bar.label, value=bar.value) for bar in self.bars)
        return _("{title}. {numbers}").format(title=self.title, numbers=_("; ").join(numbers))


def bars(key: str, title: str, label: str, value: str, rows: Iterable[Bar]) -> Chart:
    """A chart of horizontal bars."""
    return Chart(key, title, label, value, _shared(list(rows)))


def columns(key: str, title: str, label: str, value: str, rows: Iterable[Bar], most_labels: int = 10) -> Chart:
    """A chart of columns, in the order given."""
    found = _shared(list(rows))
    step = WIDTH / max(1, len(found))
    every = -(-len(found) // most_labels)
    drawn = []
    for at, bar in enumerate(found):
        height = round((HEIGHT - _TOP - _BOTTOM) * bar.share / 100, 1)
        drawn.append(
            Column(
                bar,
                x=round(at * step + step * _GAP / 2, 1),
                y=round(HEIGHT - _BOTTOM - height, 1),
                width=round(step * (1 - _GAP), 1),
                height=height,
                label=bar.label if at % every == 0 else None,
            )
        )
    return Chart(key, title, label, value, found, tuple(drawn))


def _shared(rows: Sequence[Bar]) -> tuple[Bar, ...]:
    longest = max((bar.value for bar in rows), default=0) or 1
    return tuple(Bar(bar.label, bar.value, bar.address, bar.note, round(100 * bar.value / longest, 1)) for bar in rows)
