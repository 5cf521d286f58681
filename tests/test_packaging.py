"""The distribution: what is in the tree is in the package, and the wheel works where there is no tree."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.needs import ROOT, missing

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_FOLDERS = {
    "app": "culdesac",
    "db": "culdesac.db",
    "ingest": "culdesac.ingest",
    "plugins": "culdesac.plugins",
    "queries": "culdesac.queries",
}


def tree() -> dict[str, str]:
    """The packages that the tree holds: import name to folder."""
    found = {}
    for top, name in _FOLDERS.items():
        for init in (ROOT / top).rglob("__init__.py"):
            folder = init.parent.relative_to(ROOT)
            found[".".join([name, *folder.parts[1:]])] = folder.as_posix()
    return found


def test_every_package_of_the_tree_is_listed() -> None:
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(tree())
    mapped = PROJECT["tool"]["setuptools"]["package-dir"]
    assert {name: mapped.get(name, folder) for name, folder in tree().items()} == tree()
    assert mapped == tree()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as `pip install .` builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--quiet", "-w", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and ("Could not find a version" in done.stderr or "Connection" in done.stderr):
        missing("no package index to fetch the build backend from")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("culdesac-*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_tree(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = set()
    for name, folder in tree().items():
        for path in (ROOT / folder).iterdir():
            data = path.suffix in {".py", ".sql", ".typed", ".html", ".css", ".js", ".jsonl", ".svg"}
            if path.is_file() and data:
                wanted.add(f"{name.replace('.', '/')}/{path.name}")
        parts = ("statements", "sample", "engine", "templates", "static", "locale/zh/LC_MESSAGES")
        for path in (child for part in parts for child in (ROOT / folder / part).glob("*") if child.is_file()):
            wanted.add(f"{name.replace('.', '/')}/{path.relative_to(ROOT / folder).as_posix()}")
    assert wanted - held == set()


def test_the_wheel_works_far_from_the_tree(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target", str(place), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    environment = os.environ | {"PYTHONPATH": str(place), "HOME": str(tmp_path)}

    def run(*arguments: str) -> str:
        code = (
            "import culdesac, sys; assert culdesac.__file__.startswith(sys.argv[1]); del sys.argv[1]\n"
            "from culdesac.cli import main; main()"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(place), *arguments],
            capture_output=True, text=True, cwd=tmp_path, env=environment, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    assert "120 added" in run("ingest", "--sample", "--db", "errors.db")
    assert "pytorch/" in run("search", "显存不足", "--db", "errors.db")
    assert run("show", "pytorch/cuda-out-of-memory-training", "--db", "errors.db", "--format", "markdown")
    page = (
        "import asyncio, sys; from datasette.app import Datasette; "
        "print(asyncio.run(Datasette(['errors.db']).client.get('/search?q=nccl')).status_code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", page], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    assert done.stdout.strip() == "200"


def test_the_public_names_are_these() -> None:
    import culdesac

    assert culdesac.__all__ == ["__version__", "open"]
    assert culdesac.__version__ == PROJECT["project"]["version"]
