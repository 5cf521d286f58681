"""Sizes on the command line: 16MB, 500k, 4GB, or plain bytes."""

from __future__ import annotations

import re
from typing import Any

import click

from culdesac.db.messages import _

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d{1,15})\s*([KMGT]?)(?:i?B)?", re.I)


class _Size(click.ParamType[int]):
    """A number of bytes; K, M, G and T are powers of 1024."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a size; fails (exit code 2) on anything else."""
        if isinstance(value, int):
            return value
        match = _SIZE.fullmatch(str(value).strip())
        if not match or not int(match[1]):
            self.fail(_("{value} is no size; write it like 16MB").format(value=repr(value)), param, ctx)
        return int(match[1]) * _UNITS[match[2].upper()]


SIZE = _Size()
