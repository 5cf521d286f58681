"""The plugin in a Datasette of its own process: through the entry point, through --plugins-dir, and both at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import ROOT

_ASK = """
import asyncio, collections, json, sys
from datasette.app import Datasette
from datasette.plugins import pm

datasette = Datasette([sys.argv[1]], plugins_dir=sys.argv[2] or None)

async def ask():
    answer = {}
    for path in json.loads(sys.argv[3]):
        response = await datasette.client.get(path)
        answer[path] = [response.status_code, response.text]
    return answer

answers = asyncio.run(ask())
ours = [plugin.__name__ for plugin in pm.get_plugins() if "culdesac" in plugin.__name__]
modules = [hook.function.__module__ for hook in pm.hook.register_routes.get_hookimpls()]
hooks = collections.Counter(module for module in modules if "culdesac" in module)
print(json.dumps({"answers": answers, "plugins": ours, "hooks": hooks}))
"""
_PATHS = [
    "/", "/search.json?q=cuda+out+of+memory", "/errors/search.json?_search=cuda&_shape=array", "/errors.json",
    "/errors/search_zh.json?q=x",
]  # fmt: skip


def ask(db: Path, plugins_dir: str, cwd: Path, *, entry_point: bool = True) -> dict[str, dict[str, object]]:
    """Ask a Datasette in a process of its own."""
    command = [
        sys.executable,
        "-W",
        "error::DeprecationWarning:culdesac",
        "-c",
        _ASK,
        str(db),
        plugins_dir,
        json.dumps(_PATHS),
    ]
    environment = dict(os.environ)
    if not entry_point:
        # As where the package is importable but not installed: entry points come from a distribution's metadata.
        block = cwd / "sitecustomize.py"
        block.write_text(
            "import importlib.metadata as m\n"
            "old = m.distributions\n"
            "def distributions(**kw):\n"
            "    return [d for d in old(**kw) if d.metadata['Name'] != 'culdesac']\n"
            "m.distributions = distributions\n",
            encoding="utf-8",
        )
        environment["PYTHONPATH"] = str(cwd)
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-2_000:]
    found: dict[str, dict[str, object]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("plugins_dir", "entry_point", "module"),
    [
        ("", True, "culdesac.plugins.culdesac_search"),
        (str(ROOT / "plugins"), True, "culdesac_search.py"),
        (str(ROOT / "plugins"), False, "culdesac_search.py"),
    ],
)
def test_the_plugin_is_there_once(
    sample_db: Path, tmp_path: Path, plugins_dir: str, entry_point: bool, module: str
) -> None:
    found = ask(sample_db, plugins_dir, tmp_path, entry_point=entry_point)
    assert found["hooks"] == {module: 1}
    answers = found["answers"]
    assert all(answer[0] == 200 for answer in answers.values())  # type: ignore[index]
    assert '<form id="search"' in answers["/"][1]  # type: ignore[index]
    queries = json.loads(answers["/errors.json"][1])["queries"]  # type: ignore[index]
    names = [query["name"] for query in queries]
    assert len(names) == len(set(names))
    assert "domains" in names


def test_a_folder_of_other_plugins_changes_nothing(sample_db: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "nothing.py").write_text("", encoding="utf-8")
    found = ask(sample_db, str(tmp_path / "mine"), tmp_path)
    assert found["hooks"] == {"culdesac.plugins.culdesac_search": 1}


def test_only_the_hook_module_stands_in_plugins() -> None:
    """--plugins-dir runs every .py of the folder alone."""
    assert sorted(path.name for path in (ROOT / "plugins").glob("*.py")) == ["__init__.py", "culdesac_search.py"]
    assert (ROOT / "plugins" / "__init__.py").read_text(encoding="utf-8") == ""


def test_datasette_isnt_loaded_to_search() -> None:
    code = "import sys, culdesac.plugins.web.serve, culdesac.queries.engine; sys.exit('datasette' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
