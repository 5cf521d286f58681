"""Which databases a site searches, who may see them, and files that are replaced under it."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import threading
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from datasette import Response as AsgiResponse
from datasette import hookimpl
from datasette.plugins import pm

from culdesac.db.file import FileError
from culdesac.plugins.web.serve import serve, site
from tests.sites import OOM, Open, Site, rows

# Which database


def test_only_our_databases_have_our_routes(other_db: Path, open_site: Open) -> None:
    web = open_site(other_db)
    assert "Culdesac" not in web.get("/").text
    for path in ("/search", "/search.json?q=x", f"/entry/{OOM}", f"/entry/{OOM}.json", "/-/culdesac/culdesac.css"):
        assert web.get(path).status_code == 404
    assert "queries" not in web.get("/other.json").json() or not web.get("/other.json").json()["queries"]
    # Datasette's own box is as it was.
    assert len(web.get('/other/notes.json?_search="one+two"&_shape=array').json()) == 1


def test_several_databases(sample_db: Path, other_db: Path, tmp_path: Path, open_site: Open) -> None:
    odd = tmp_path / "odd name.v1 é+&'.db"
    shutil.copy(sample_db, odd)
    with closing(sqlite3.connect(odd)) as connection:
        connection.execute("update entries set signature = 'from the odd one: ' || signature")
        connection.commit()
    web = open_site(other_db, sample_db, odd)
    name = odd.stem
    asked = {"q": "CUDA out of memory"}

    def first(**more: str) -> str:
        signature: str = web.get("/search.json", params={**asked, **more}).json()["results"][0]["signature"]
        return signature

    assert not first().startswith("from the odd one")
    assert first(db=name).startswith("from the odd one")
    page = web.get("/search", params={**asked, "db": name}).text
    (address,) = set(re.findall(rf'<a href="(/entry/{OOM}[^"]*)"', page))
    assert "from the odd one" in web.get(address.replace("&amp;", "&")).text
    assert web.get("/search", params={"db": "other"}).status_code == 404
    assert web.get("/search.json?db=other").json()["ok"] is False
    configured = open_site(sample_db, odd, metadata={"plugins": {"culdesac": {"database": name}}})
    assert configured.get("/search.json", params=asked).json()["results"][0]["signature"].startswith("from the odd")
    assert web.get("/" + configured.datasette.urls.table(name, "entries").lstrip("/")).status_code == 200


def test_base_url(sample_db: Path, open_site: Open) -> None:
    web = open_site(sample_db, settings={"base_url": "/errors-here/"})
    posted = web.post("/search", data={"q": "cuda memory"})
    assert posted.headers["location"].startswith("/errors-here/search?")
    # The client puts the base address before each path.
    for path in ("/search?q=cuda+memory", f"/entry/{OOM}", "/"):
        page = web.get(path)
        assert page.status_code == 200
        addresses = re.findall(r'(?:href|action|src)="([^"]+)"', page.text)
        assert all(address.startswith(("/errors-here/", "https://", "#")) for address in addresses)


@pytest.mark.parametrize(
    "metadata",
    [
        {"allow": {"id": "root"}},
        {"databases": {"errors": {"allow": {"id": "root"}}}},
        {"databases": {"errors": {"tables": {"workarounds": {"allow": False}}}}},
    ],
)
def test_permissions_hold(sample_db: Path, metadata: dict[str, Any], open_site: Open) -> None:
    web = open_site(sample_db, metadata=metadata)
    for path in ("/search?q=cuda", "/search.json?q=cuda", f"/entry/{OOM}", f"/entry/{OOM}.json", f"/entry/{OOM}.md"):
        for more in ("", "&db=errors" if "?" in path else "?db=errors"):
            answer = web.get(path + more)
            assert answer.status_code == 403
            assert "memory" not in answer.text
    assert "Well documented errors" not in web.get("/").text
    if "allow" in metadata or "allow" in metadata["databases"]["errors"]:
        cookie = {"ds_actor": web.datasette.sign({"a": {"id": "root"}}, "actor")}
        headers = {"cookie": f"ds_actor={cookie['ds_actor']}"}
        assert web.get("/search.json?q=cuda", headers=headers).status_code == 200


@pytest.mark.parametrize("metadata", [{"allow": False}, {"databases": {"errors": {"allow": False}}}])
def test_a_refusal_is_a_page_of_ours(sample_db: Path, metadata: dict[str, Any], open_site: Open) -> None:
    web = open_site(sample_db, metadata=metadata)
    paths = ["/search?q=cuda", f"/entry/{OOM}", f"/entry/{OOM}.md", "/overview", f"/entry/{OOM}?db=errors"]
    for path in [*paths, *(["/"] if "allow" in metadata else [])]:
        answer = web.get(path)
        assert answer.status_code == 403
        assert "<h1>You may not see this database</h1>" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers
    assert "你无权查看这个数据库" in web.get("/search?q=cuda&lang=zh").text
    for path in ("/search.json?q=x", "/overview.json", f"/entry/{OOM}.json", "/entries.ndjson", "/sitemap.xml"):
        answer = web.get(path)
        assert answer.status_code == 403
        assert answer.json() == {"ok": False, "error": "not allowed to see this database"}
    # Datasette's own pages keep its own, and its internal database isn't one of ours.
    assert "Culdesac" not in web.get("/errors").text
    assert web.get("/search?q=x&db=_internal").status_code == 404


def test_a_plugin_that_leads_to_a_login_still_does(sample_db: Path, open_site: Open) -> None:
    class Login:
        __name__ = "login"

        @hookimpl
        def forbidden(self, request: Any) -> AsgiResponse | None:
            return None if "anonymous" in request.query_string else AsgiResponse.redirect("/-/login")

    web = open_site(sample_db, metadata={"allow": False})
    plugin = Login()
    pm.register(plugin, name="login")
    try:
        for path in ("/search?q=x", f"/entry/{OOM}", "/"):
            assert web.get(path).headers["location"] == "/-/login"
        assert "<h1>You may not see" in web.get("/search?q=x&anonymous=1").text
    finally:
        pm.unregister(plugin)


def test_a_sites_own_front_page_stays(sample_db: Path, tmp_path: Path, open_site: Open) -> None:
    (tmp_path / "index.html").write_text("mine", encoding="utf-8")
    assert open_site(sample_db, template_dir=str(tmp_path)).get("/").text == "mine"


def test_cors(sample_db: Path, open_site: Open) -> None:
    answer = open_site(sample_db, cors=True).get("/search.json?q=x")
    assert answer.headers["access-control-allow-origin"] == "*"


# A file that is replaced, and the server


@pytest.mark.parametrize("threads", [0, 3])
@pytest.mark.parametrize("immutable", [False, True])
def test_a_replaced_file_is_noticed(sample_db: Path, tmp_path: Path, threads: int, immutable: bool) -> None:
    path = tmp_path / "errors.db"
    shutil.copy(sample_db, path)
    options: dict[str, Any] = {"settings": {"num_sql_threads": threads}}
    web = Site(**options, immutables=[str(path)]) if immutable else Site(path, **options)

    def seen() -> tuple[str, str, str]:
        (row,) = rows(web, "/errors/entries.json", id=OOM)
        return (row["root_cause"], web.get(f"/entry/{OOM}.json").json()["root_cause"], web.get(f"/entry/{OOM}").text)

    try:
        # Our middleware is made with the app: keep one, as a server does.
        app = web.datasette.app()
        web.datasette.app = lambda: app
        before = seen()
        new = tmp_path / "new.db"
        shutil.copy(path, new)
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("update entries set root_cause = 'replaced' where id = ?", [OOM])
            connection.commit()
        os.replace(new, path)
        after = seen()
        assert before[0] == before[1] != "replaced"
        assert after[:2] == ("replaced", "replaced")
        assert "replaced" in after[2]
        assert web.get("/errors/entries?_search=memory").status_code == 200
        path.unlink()
        assert web.get("/search.json?q=x").status_code in (404, 503)
    finally:
        web.close()


def test_serve_answers_at_the_address_that_it_says(sample_db: Path) -> None:
    said: list[str] = []
    ready = threading.Event()

    def heard(address: str) -> None:
        said.append(address)
        ready.set()

    # Signals are the main thread's; a daemon ends with the tests.
    threading.Thread(target=serve, args=(sample_db,), kwargs={"port": 0, "ready": heard}, daemon=True).start()
    assert ready.wait(30)
    (address,) = said
    assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+/", address)
    with urllib.request.urlopen(
        f"{address}errors/entries.json?_search={quote('显存 ' * 20_000)}", timeout=30
    ) as answer:
        assert answer.status == 200
    port = int(address.rstrip("/").rpartition(":")[2])
    with pytest.raises(OSError, match=r"^address already in use$"):
        serve(sample_db, port=port, ready=pytest.fail)


@pytest.mark.parametrize(("host", "port"), [("256.0.0.1", 0), ("127.0.0.1", 99_999), ("a" * 300, 0)])
def test_serve_says_in_one_line_why_it_cant(sample_db: Path, host: str, port: int) -> None:
    with pytest.raises(OSError, match=r"^[a-z]") as caught:
        serve(sample_db, host=host, port=port, ready=pytest.fail)
    assert "\n" not in str(caught.value)


def test_serve_refuses_what_isnt_ours(other_db: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError):
        site(other_db)
    with pytest.raises(FileError):
        site(tmp_path / "none.db")
