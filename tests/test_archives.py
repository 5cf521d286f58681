"""Packed sources: read as streams, refused in one line when they are hostile or broken."""

import gzip
import io
import json
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from culdesac.ingest.archives import unsafe
from culdesac.ingest.sources import Fault, Item, Limits, Record, open_source

A, B, C = (json.dumps({"id": letter}).encode() for letter in "abc")
Files = list[tuple[str, bytes]]


def pack_zip(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return buffer.getvalue()


def pack_tar(files: Files, change: Callable[[tarfile.TarInfo], None] = lambda info: None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            change(info)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def pack_tgz(files: Files) -> bytes:
    return gzip.compress(pack_tar(files), mtime=0)


def read(tmp_path: Path, data: bytes, limits: Limits | None = None) -> tuple[list[str], list[str]]:
    """The ids of the records, and the faults as they are printed, without the folder."""
    path = tmp_path / "x.bin"
    path.write_bytes(data)
    items: list[Item] = list(open_source(str(path), limits or Limits(), io.BytesIO()))
    faults = [str(item).removeprefix(f"{tmp_path}/") for item in items if isinstance(item, Fault)]
    assert all(fault.isprintable() and "Traceback" not in fault for fault in faults)
    return [item.document["id"] for item in items if isinstance(item, Record)], faults


@pytest.mark.parametrize("pack", [pack_zip, pack_tar, pack_tgz])
def test_members_that_are_read_and_those_passed_over(tmp_path: Path, pack: Callable[[Files], bytes]) -> None:
    files = [
        ("a.json", A),
        ("deep/er/b.jsonl", B + b"\n" + C),
        ("./c.ndjson.gz", gzip.compress(A)),
        ("code.py", b"import this"),
        ("x.db", b"SQLite format 3\0"),
        (".hidden/a.json", A),
        ("__MACOSX/._a.json", b"\0"),
        ("latin.txt", b"\xe9"),
        ("entry_points.txt", b"[console_scripts]\nx = y\n"),
    ]
    assert read(tmp_path, pack(files)) == (["a", "b", "c", "a"], [])


NAME_LIES = "the name says text, the content %s; unpack it and give it alone"
NOT_READ = "x.bin!%s:1: record: %s"


@pytest.mark.parametrize("pack", [pack_zip, pack_tar, pack_tgz])
@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("../b.json", B, "a path that leaves the archive (..); not read"),
        ("x/../b.json", B, "a path that leaves the archive (..); not read"),
        ("/etc/b.json", B, "an absolute path; not read"),
        ("C:b.json", B, "a path with a drive letter; not read"),
        ("x\\..\\b.json", B, "a path with backslashes; not read"),
        ("../code.py", b"", "a path that leaves the archive (..); not read"),
        ("b.zip", pack_zip([("b.json", B)]), "an archive within the archive; unpack it and give it on its own"),
        ("b.tar.gz", pack_tgz([("b.json", B)]), "an archive within the archive; unpack it and give it on its own"),
        ("b.json", pack_zip([("b.json", B)]), NAME_LIES % "zip"),
        ("b.json.gz", pack_tgz([("b.json", B)]), NAME_LIES % "tar"),
        ("b.json.gz", gzip.compress(gzip.compress(B)), NAME_LIES % "gzip"),
        ("b.json.gz", gzip.compress(B)[:-9], "the gzip data ends too early; get the whole file"),
        ("b.json", b"", "no records in it: the file is empty"),
        ("b.json", b"[1]", "expected an object, got a number"),
    ],
)  # fmt: skip
def test_a_refused_member_costs_only_itself(
    tmp_path: Path, pack: Callable[[Files], bytes], name: str, data: bytes, why: str
) -> None:
    ids, faults = read(tmp_path, pack([("a.json", A), (name, data), ("c.json", C)]))
    assert [i for i in ids if i != "b"] == ["a", "c"]
    assert faults == [NOT_READ % (name, why)]


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (tarfile.SYMTYPE, "a link; not read"),
        (tarfile.LNKTYPE, "a link; not read"),
        (tarfile.CHRTYPE, "a device or other special file; not read"),
        (tarfile.FIFOTYPE, "a device or other special file; not read"),
        (tarfile.DIRTYPE, ""),
    ],
)
def test_only_ordinary_files_of_a_tar_are_read(tmp_path: Path, kind: bytes, why: str) -> None:
    def change(info: tarfile.TarInfo) -> None:
        if info.name == "b.json":
            info.type, info.size, info.linkname = kind, 0, "a.json"

    ids, faults = read(tmp_path, pack_tar([("a.json", A), ("b.json", b""), ("c.json", C)], change))
    assert (ids, faults) == (["a", "c"], [NOT_READ % ("b.json", why)] if why else [])


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("external_attr", (stat.S_IFLNK | 0o777) << 16, "a symbolic link; not read"),
        ("external_attr", (stat.S_IFCHR | 0o777) << 16, "a device or other special file; not read"),
        ("flag_bits", 1, "encrypted; unpack it with its password first"),
        ("compress_type", zipfile.ZIP_LZMA, "packed with an unusual method; pack it anew with deflate"),
    ],
)
def test_only_ordinary_members_of_a_zip_are_read(tmp_path: Path, field: str, value: int, why: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.json", A)
        archive.writestr("b.json", B)
        setattr(archive.infolist()[1], field, value)
        archive.writestr("c.json", C)
    assert read(tmp_path, buffer.getvalue()) == (["a", "c"], [NOT_READ % ("b.json", why)])


def test_a_damaged_zip_member_costs_only_itself(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in (("a.json", A), ("b.json", B), ("c.json", C)):
            archive.writestr(name, data)
    data = buffer.getvalue().replace(B, B.replace(b"b", b"x"), 1)
    assert read(tmp_path, data)[1] == ["x.bin!b.json:1: record: corrupt zip member: Bad CRC-32 for file 'b.json'"]


def test_names_are_printed_in_one_line(tmp_path: Path) -> None:
    assert read(tmp_path, pack_tar([("x\n\x1b[31m\udcff\u202e.json", b"1")]))[1] == [
        "x.bin!x\\n\\x1b[31m\\udcff\\u202e.json:1: record: expected an object, got a number"
    ]


NOISE = b"".join(json.dumps({"id": str(n), "x": zlib.crc32(b"%d" % n)}).encode() + b"\n" for n in range(20000))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (gzip.compress(NOISE)[:-100000], "the gzip data ends too early; get the whole file"),
        (gzip.compress(NOISE)[:-1], "the gzip data ends too early; get the whole file"),
        (gzip.compress(NOISE)[:-8] + bytes(8), "corrupt gzip data: incorrect data check"),
        (gzip.compress(NOISE) + b"garbage", "corrupt gzip data: incorrect header check"),
        (gzip.compress(pack_tar([("n.jsonl", NOISE)]))[:-4000], "the gzip data ends too early; get the whole file"),
        (pack_tar([("n.jsonl", NOISE)])[:100000], "corrupt tar archive: unexpected end of data"),
        (
            pack_tar([("n.jsonl", NOISE)])[: 1024 + len(NOISE) // 512 * 512] + b"x" * 512,
            "corrupt tar archive: a damaged header",
        ),
        (b"PK\x03\x04" + NOISE, "corrupt zip archive: File is not a zip file"),
    ],
    ids=range(8),
)
def test_damage_keeps_what_came_before(tmp_path: Path, data: bytes, why: str) -> None:
    ids, faults = read(tmp_path, data)
    assert faults[-1].endswith(f"record: {why}")
    assert len(ids) > 1000 or data.startswith(b"PK")


@pytest.mark.parametrize("padding", [b"", bytes(1000)])
def test_gzip_of_many_members(tmp_path: Path, padding: bytes) -> None:
    data = (gzip.compress(A + b"\n") + gzip.compress(b"")) * 1000
    assert read(tmp_path, data + padding) == (["a"] * 1000, [])


BOMB = json.dumps({"id": "b", "x": "x" * 4 * 2**20}).encode()
RATIO = "unpacks to more than 200 times its size, like a bomb; not read on"


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(A + b"\n" + BOMB),
        pack_zip([("a.json", A), ("b.json", BOMB), ("c.json", C)]),
        pack_tgz([("a.json", A), ("b.json", BOMB), ("c.json", C)]),
        pack_tar([("a.json", A), ("b.json.gz", gzip.compress(BOMB)), ("c.json", C)]),
        pack_zip([("a.json", A), ("b.json.gz", gzip.compress(gzip.compress(BOMB))), ("c.json", C)]),
    ],
    ids=range(5),
)
def test_bombs_are_refused(tmp_path: Path, data: bytes) -> None:
    ids, faults = read(tmp_path, data)
    assert "b" not in ids
    assert len(faults) == 1
    assert faults[0].endswith(RATIO) or "the content gzip" in faults[0]


@pytest.mark.parametrize("pack", [pack_zip, pack_tgz])
def test_the_total_is_limited_over_all_members(tmp_path: Path, pack: Callable[[Files], bytes]) -> None:
    ids, faults = read(tmp_path, pack([(f"{n}.json", A) for n in range(100)]), Limits(total=500))
    assert len(ids) < 100
    assert len(faults) == 1
    assert faults[0].endswith("unpacks to more than 500 bytes; split it into smaller files")


def test_overlapping_zip_members_count_each_time(tmp_path: Path) -> None:
    data = json.dumps({"id": "a", "x": "x" * 700_000}).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a.json", data)
        archive.filelist *= 400
    _, faults = read(tmp_path, buffer.getvalue(), Limits(ratio=2000))
    assert faults


FORMS = "What can: JSON, JSON Lines, a page as .txt, .md or .html, gzip, zip or tar"


def test_a_tar_header_cannot_fill_the_memory(tmp_path: Path) -> None:
    def change(info: tarfile.TarInfo) -> None:
        info.pax_headers = {"comment": "x" * 3 * 2**20}

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.json")
        change(info)
        archive.addfile(info)
    assert read(tmp_path, buffer.getvalue()) == (
        [],
        ["x.bin:1: record: corrupt tar archive: a header of more than 1 MiB"],
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (pack_zip([("code.py", b"")]), "nothing in it that is read: no .json, .jsonl, .ndjson, .txt, .md or .html"),
        (gzip.compress(pack_zip([])), "zip within gzip; unpack it and give what is in it"),
        (b"BZh9", f"bzip2 can't be read here; unpack it first. {FORMS}"),
    ],
)  # fmt: skip
def test_what_has_nothing_to_read_says_so(tmp_path: Path, data: bytes, why: str) -> None:
    assert read(tmp_path, data) == ([], [f"x.bin:1: record: {why}"])


@pytest.mark.parametrize(
    ("header", "licence"),
    [
        ("License: MIT", "MIT"),
        ("License: MIT\nLicense-Expression: MIT AND CC-BY-4.0", "MIT AND CC-BY-4.0"),
        ("License: Long\n        text", "Long"),
        ("License: UNKNOWN", None),
        ("Summary: x", None),
    ],
)
def test_a_wheel_tells_its_licence(tmp_path: Path, header: str, licence: str | None) -> None:
    path = tmp_path / "x.whl"
    path.write_bytes(pack_zip([("a.json", A), ("x-1.dist-info/METADATA", f"Name: x\n{header}\n\nbody".encode())]))
    source = open_source(str(path), Limits(), io.BytesIO())
    assert len(list(source)) == 1
    assert source.licence == licence


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_other_unsafe_names(name: str) -> None:
    assert unsafe(name)


@pytest.mark.parametrize("pack", [pack_zip, pack_tar, pack_tgz])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_damaged_archives_raise_nothing(tmp_path: Path, pack: Callable[[Files], bytes], data: st.DataObject) -> None:
    packed = gzip.compress(B, mtime=0)
    raw = bytearray(pack([("a.json", A), ("b.json.gz", packed), ("x.dist-info/METADATA", b"License: x")]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.sampled_from([0, 1, 100]))] = data.draw(st.binary(max_size=4))
        raw = raw or bytearray(b" ")
    read(tmp_path, bytes(raw))
