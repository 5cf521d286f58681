"""What a test needs and a machine may lack: skip and say why, or fail under CULDESAC_REQUIRE=1."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
_SHARED = ROOT.parent / "shared"


def missing(reason: str) -> None:
    """End the test: something it needs isn't here."""
    if os.environ.get("CULDESAC_REQUIRE") == "1":
        pytest.fail(f"required and missing: {reason}")
    pytest.skip(reason)


def shared(path: str) -> Path:
    """A file of the shared data that lies beside the checkout."""
    found = _SHARED / path
    if not found.exists():
        missing(f"no ../shared/{path}")
    return found


def program(name: str) -> str:
    """A program on the PATH."""
    found = shutil.which(name)
    if found is None:
        missing(f"no {name} on this machine")
    assert found is not None
    return found
