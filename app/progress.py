"""Progress on a terminal, and nothing but reports where there is none."""

from __future__ import annotations

import sys

import click

_STAGES = {"read": "reading", "write": "writing", "index": "indexing", "verify": "verifying"}


class Progress:
    """A status line on standard error, redrawn in place. Reports are printed above it."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self._clear()

    def __call__(self, stage: str, done: int) -> None:
        """Show how many entries a stage has done."""
        if self._live:
            click.echo(f"\r\x1b[K{_STAGES.get(stage, stage)}: {done:,} entries", nl=False, err=True, color=True)
            self._shown = True

    def line(self, text: str) -> None:
        """Print a report."""
        self._clear()
        click.echo(text, err=True)

    def _clear(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True, color=True)
            self._shown = False
