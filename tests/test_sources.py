"""Sources of every form, through the one door that opens them."""

import gzip
import hashlib
import io
import json
import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from culdesac.ingest.sources import (
    Fault,
    Item,
    Limits,
    Page,
    Place,
    Record,
    Source,
    SourceError,
    is_database,
    open_source,
)

A = b'{"id": "a"}'
B = b'{\n "id": "b"\n}\n'


def shown(items: list[Item]) -> list[str]:
    """What was read, in short: `file:line id`, `file:line page: text`, or the fault."""
    result = []
    for item in items:
        if isinstance(item, Record):
            result.append(f"{item.place} {item.document['id']}")
        elif isinstance(item, Page):
            result.append(f"{item.place} page: {item.text}")
        else:
            result.append(str(item))
    return result


def read(argument: str, stdin: bytes = b"", limits: Limits | None = None) -> tuple[list[str], Source]:
    source = open_source(argument, limits or Limits(), io.BytesIO(stdin))
    return shown(list(source)), source


UTF16 = '\ufeff{"id": "é"}\n{"id": "b"}\n'
NO_MARK = "1: record: the file looks like UTF-16 or UTF-32 without a byte order mark; save it as UTF-8"
ODD_END = "3: record: the file is UTF-16 and ends in the middle of a character"
TWICE = "2: id: the key is given twice; keep one"
FORMS = [
    (A, ["1 a"]),
    (A + b"\n" + A, ["1 a", "2 a"]),
    (b"[" + A + b",\n" + B + b"]", ["1 a", "2 b"]),
    (b"\xef\xbb\xbf" + A, ["1 a"]),
    (UTF16.encode("utf-16-le"), ["1 é", "2 b"]),
    (UTF16.encode("utf-16-be"), ["1 é", "2 b"]),
    (gzip.compress(A), ["1 a"]),
    (b"Title\r\n\r\nText\rx\n", ["1 page: Title\n\nText\nx\n"]),
    (b"<html>{}</html>", ["1 page: <html>{}</html>"]),
    (gzip.compress(b"Text"), ["1 page: Text"]),
    (b"", ["1: record: no records in it: the file is empty"]),
    (b"\n \n", ["1: record: no records in it: the file is empty"]),
    (b"x\ny\0", ["2: record: neither JSON nor text: it has NUL bytes"]),
    (b"Text\nx\xff", ["2: record: not UTF-8: byte 0xff at line 2; save it as UTF-8"]),
    (A + b'\n{"id": "\xff"}\n' + A, ["1 a", "2: record: not UTF-8: byte 0xff at line 2; save it as UTF-8", "3 a"]),
    ("\ufeff{}".encode("utf-32-le"), ["1: record: the file is UTF-32; save it as UTF-8"]),
    ('{"a"'.encode("utf-16-le"), [NO_MARK]),
    (UTF16.encode("utf-16-le") + b"x", ["1 é", "2 b", ODD_END]),
    (
        '\ufeff{"id": "a"}\n{"id": "\ud800"}\n{"id": "c"}'.encode("utf-16-le", "surrogatepass"),
        ["1 a", "2: record: half a character (a lone surrogate) at line 2; save it as UTF-8", "3 c"],
    ),
    (b'{"id": "a"}\n{"id": 1, "id": 2}\n[3]', ["1 a", TWICE, "3: record: expected an object, got a number"]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), FORMS, ids=range(len(FORMS)))
@pytest.mark.parametrize("name", ["-", "x.json", "x.txt", "x.zip", "x"])
def test_content_decides_never_the_name(tmp_path: Path, name: str, data: bytes, expected: list[str]) -> None:
    path = "-"
    if name != "-":
        path = str(tmp_path / name)
        Path(path).write_bytes(data)
    found, source = read(path, data)
    assert found == [f"{'<stdin>' if path == '-' else path}:{line}" for line in expected]
    assert source.sha256 == hashlib.sha256(data).hexdigest()
    assert source.name == ("stdin" if path == "-" else name)
    assert source.licence is None


def test_records_know_their_size_and_pages_who_named_them(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b" " + A + b"\n")
    (tmp_path / "b.txt").write_bytes(b"page")
    folder, file = (list(open_source(str(path), Limits(), io.BytesIO())) for path in (tmp_path, tmp_path / "b.txt"))
    assert folder == [
        Record(Place(f"{tmp_path}/a.json", 1), {"id": "a"}, len(A)),
        Page(Place(f"{tmp_path}/b.txt", 1), "page", explicit=False),
    ]
    assert file == [Page(Place(f"{tmp_path}/b.txt", 1), "page", explicit=True)]


def test_a_folder_in_order(tmp_path: Path) -> None:
    files = {
        "a-b.json": A,
        "a.json": b'{"id": "x.json"}',
        "a/b.jsonl.gz": gzip.compress(B),
        "a/c/page.md": b"Page",
        "b.txt": A,
        "entry_points.txt": b"[x]\ny=z\n",
        "é.json": b"{",
    }
    passed_over = {".hidden.json": A, ".git/a.json": A, "x.py": A, "x.zip": b"PK\x03\x04", "x.db": b"SQLite format 3\0"}
    for name, data in (files | passed_over).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "link.json").symlink_to(tmp_path / "a.json")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    found, source = read(str(tmp_path))
    assert [line.removeprefix(f"{tmp_path}/") for line in found] == [
        "a-b.json:1 a",
        "a.json:1 x.json",
        "a/b.jsonl.gz:1 b",
        "a/c/page.md:1 page: Page",
        "b.txt:1 a",
        "entry_points.txt:1 page: [x]\ny=z\n",
        "link.json:1: record: a symbolic link; not followed",
        "loop:1: record: a symbolic link; not followed",
        "é.json:1: record: malformed JSON: it is cut off: expected a key in double quotes (line 1, column 2)",
    ]
    lines = sorted(f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in files.items())
    assert source.sha256 == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert source.name == tmp_path.name


def test_a_named_symlink_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(A)
    (tmp_path / "link").symlink_to("a.json")
    assert read(str(tmp_path / "link"))[0] == [f"{tmp_path}/link:1 a"]


@pytest.mark.parametrize(
    ("argument", "stdin", "message"),
    [
        ("nowhere\n", b"", "nowhere\\n: no such file or folder; check the path"),
        ("a\0b", b"", "a\\x00b: can't be read: embedded null byte; check the path"),
        (".", b"", ".: an empty folder; it has no .json, .jsonl, .ndjson, .txt, .md or .html"),
        ("/dev/null", b"", "/dev/null: neither a file nor a folder; give one, or - for standard input"),
        ("-", b"PK\x03\x04", "<stdin>: an archive can't be read from standard input; save it and give its path"),
    ],
)
def test_what_cannot_be_read_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, stdin: bytes, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError) as caught:
        read(argument, stdin)
    assert str(caught.value) == message


def test_the_name_is_never_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(A)
    monkeypatch.chdir(tmp_path)
    assert {
        open_source(path, Limits(), io.BytesIO()).name for path in (".", f"{tmp_path}/", "../" + tmp_path.name)
    } == {tmp_path.name}


def test_databases_are_told_by_content(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"SQLite format 3\0...")
    (tmp_path / "x.db").write_bytes(b"")
    assert is_database(tmp_path / "x.json")
    assert not any(is_database(path) for path in (tmp_path / "x.db", tmp_path, tmp_path / "none", "a\0b"))
    assert open_source(str(tmp_path / "x.json"), Limits(), io.BytesIO()).name == "x.json"


def test_limits_of_records_and_pages(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(A + b'\n{"id": "' + b"x" * 100 + b'"}\n' + A)
    assert read(str(path), limits=Limits(record=50))[0] == [
        f"{path}:1 a",
        f"{path}:2: record: larger than 50 bytes, the limit for one record",
        f"{path}:3 a",
    ]
    path.write_bytes(b"x" * 51)
    assert read(str(path), limits=Limits(record=50))[0] == [
        f"{path}:1: record: larger than 50 bytes, the limit for one page"
    ]


def test_a_fault_prints_as_one_line() -> None:
    assert str(Fault(Place("x.json", 3), "workarounds[0].how", "is wrong")) == "x.json:3: workarounds[0].how: is wrong"


@pytest.mark.parametrize("form", ["array", "lines", "gzip", "zip"])
def test_memory_does_not_grow_with_the_number_of_records(tmp_path: Path, form: str) -> None:
    peaks = []
    for count in (4_000, 40_000):
        records = [json.dumps({"id": str(n), "text": os.urandom(40).hex()}) for n in range(count)]
        text = ("[" + ",".join(records) + "]" if form == "array" else "\n".join(records)).encode()
        path = tmp_path / f"{form}{count}"
        if form == "zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("x.jsonl", text)
        else:
            path.write_bytes(gzip.compress(text, 1) if form == "gzip" else text)
        tracemalloc.start()
        assert sum(isinstance(item, Record) for item in open_source(str(path), Limits(), io.BytesIO())) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The texts are 0.4 and 4 MB; chunks are 1 MiB, a few of which are alive at a time.
    assert peaks[1] - peaks[0] < 5 * 2**20
