"""Progress on a terminal, and nothing but reports where there is none."""

from __future__ import annotations

import sys

import click

from culdesac.db.messages import _, noted
from culdesac.width import left

_STAGES = {
    "read": noted("reading"),
    "write": noted("writing"),
    "index": noted("indexing"),
    "verify": noted("verifying"),
}
_WIDTH = 30


class Progress:
    """A status line on standard error, redrawn in place. Reports are printed above it."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self._clear()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how many entries a stage has done, as a bar where it is known of how many."""
        if not self._live:
            return
        filled = _WIDTH * min(done, total) // total if total else 0
        bar = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] " if total else ""
        message = _("{done} of {total} entries") if total else _("{done} entries")
        count = message.format(done=f"{done:,}", total=f"{total:,}")
        name = left(_(_STAGES.get(stage, stage)), 9)
        click.echo(f"\r\x1b[K{name} {bar}{count}", nl=False, err=True, color=True)
        self._shown = True

    def line(self, text: str) -> None:
        """Print a report."""
        self._clear()
        click.echo(text, err=True)

    def _clear(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True, color=True)
            self._shown = False
