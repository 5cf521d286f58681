"""Finding records in JSON text, and decoding one strictly."""

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from culdesac.ingest.jsontext import JsonFault, decode, is_json, split

# Text that looks like structure, to get the splitter lost.
TEXT = (
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
    | st.text(alphabet='{}[],:"\\\n \u00e9')
    | st.sampled_from(["}{", '"}\n{"', "\\", '\\"'])
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(TEXT, VALUES, max_size=4), max_size=6)
FORMS = {
    "lines": lambda documents: "".join(json.dumps(d) + "\n" for d in documents),
    "lines, no last newline": lambda documents: "\n".join(json.dumps(d, ensure_ascii=False) for d in documents),
    "lines, CRLF and blanks": lambda documents: "\r\n\r\n".join(json.dumps(d) for d in documents) + "\r\n",
    "array": json.dumps,
    "array, a line each": lambda documents: "[\n" + ",\n".join(map(json.dumps, documents)) + "\n]",
    "array, pretty": lambda documents: json.dumps(documents, indent=2, ensure_ascii=False),
    "array, no indent": lambda documents: json.dumps(documents, indent=0),
    "one after another": lambda documents: "".join(map(json.dumps, documents)),
    "pretty, one after another": lambda documents: "\n".join(json.dumps(d, indent=1) for d in documents),
    "several arrays": lambda documents: "\n".join(json.dumps([d]) for d in documents),
}


def chunked(text: bytes, size: int) -> Iterator[bytes]:
    return (text[start : start + size] for start in range(0, len(text), size))


def outcome(text: bytes, size: int = 2**20, limit: int = 2**24) -> list[tuple[int, Any]]:
    """Each piece as (line, value), or (line, what is wrong)."""
    result: list[tuple[int, Any]] = []
    for line, piece in split(chunked(text, size), limit):
        try:
            if isinstance(piece, JsonFault):
                raise piece
            result.append((line, decode(piece, line)))
        except JsonFault as fault:
            result.append((line, str(fault)))
    return result


def start_lines(text: str, documents: list[Any]) -> list[int]:
    """The lines where the documents start, found by the standard library's decoder."""
    decoder, position, lines = json.JSONDecoder(), 0, []
    for _ in documents:
        position = text.index("{", position)
        lines.append(text.count("\n", 0, position) + 1)
        position = decoder.raw_decode(text, position)[1]
    return lines


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=40)
@given(documents=OBJECTS, size=st.integers(1, 40) | st.just(2**20))
def test_every_form_gives_the_same_records_and_their_lines(form: str, documents: list[Any], size: int) -> None:
    text = FORMS[form](documents)
    expected = list(zip(start_lines(text, documents), documents, strict=True))
    assert outcome(text.encode(), size) == expected or (not text.strip() and not documents)


GOOD = b'{"id": 1, "steps": [{"a": "x"}]}\n'
CUT = "record: malformed JSON: "
NOT_CLOSED = "record: the array is not closed: the file ends before its ]"
TOO_MANY = "record: a comma too many (said once; the records are read all the same)"


@pytest.mark.parametrize("size", [1, 7, 2**20])
@pytest.mark.parametrize(
    "broken",
    [
        b'{"id": 2, "steps": [{"a": "x"',
        b'{"id": 2, "steps": [',
        b'{"id": 2, "steps":',
        b'{"id": 2, "text": "it ends he',
        b'{"id": 2, "text": "a, ',
        b'{"id": 2, "text": "a\\',
        b'{"id": 2, "steps": [{"a": "x"}]',
        b'{"id": 2, "steps": {"a": "x"]]}',
        b'{"id": 2}}',
        b'{"id": \xff}',
        b"{",
        b'{"id": 2, "id": 3}',
        b'"id": 2}',
        b"nonsense",
    ],
)
@pytest.mark.parametrize("place", range(3))
def test_a_broken_line_costs_only_itself(broken: bytes, place: int, size: int) -> None:
    lines = [GOOD] * 4
    lines.insert(place, broken + b"\n")
    found = outcome(b"".join(lines), size)
    good = [line for line, value in found if value == json.loads(GOOD)]
    # A broken line that ends where a value could follow takes one line with it only if nothing tells it apart.
    assert good == [line for line in range(1, 6) if line != place + 1]
    assert place + 1 in [line for line, value in found if isinstance(value, str)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", [(1, "record: no records in it: the file is empty")]),
        (b" \n\n ", [(1, "record: no records in it: the file is empty")]),
        (b"[]", []),
        (b"[\n]\n", []),
        (b'[{"a": 1}, 2, "x, y", null, [{}]]', [(1, {"a": 1}), (1, 2), (1, "x, y"), (1, None), (1, [{}])]),
        (b'[{"a":1},{"b":2}', [(1, {"a": 1}), (1, {"b": 2}), (1, NOT_CLOSED)]),
        (b'[{"a":1}]\nmore\n', [(1, {"a": 1}), (2, "record: text after the end of the array: more")]),
        (b'[{"a":1},]', [(1, {"a": 1}), (1, TOO_MANY)]),
        (
            b'[{"a":1}\n{"b":2}\n{"c":3}]',
            [
                (1, {"a": 1}),
                (2, "record: a comma is missing before this (said once; the records are read all the same)"),
                (2, {"b": 2}),
                (3, {"c": 3}),
            ],
        ),
        (
            b'{"a":1},\n{"b":2},\n',
            [
                (1, {"a": 1}),
                (1, "record: a comma outside an array (said once; the records are read all the same)"),
                (2, {"b": 2}),
            ],
        ),
        (
            b'[{"a": 1 "x": {}}, {"b": 2}]',
            [(1, CUT + "expected a comma or a closing bracket (line 1, column 9)"), (1, {"b": 2})],
        ),
        (
            b'[\n  {"a": [1}},\n  {"b": 2}\n]',
            [
                (2, CUT + "expected a comma or a closing bracket (line 2, column 9)"),
                (2, "record: a comma is missing before this (said once; the records are read all the same)"),
                (2, CUT + "expected a value (line 2, column 1)"),
                (3, {"b": 2}),
            ],
        ),
        (
            b'[\n  {\n    "a": {\n      "b": 1\n  },\n  {"c": 2}\n]',
            [(2, CUT + "it is cut off: expected a key in double quotes (line 5, column 5)"), (6, {"c": 2})],
        ),
        (b'\xef\xbb\xbf{"a":1}\n\xef\xbb\xbf{"b":2}', [(1, {"a": 1}), (2, {"b": 2})]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 2**20])
def test_damage_is_named_and_the_rest_is_read(text: bytes, expected: list[Any], size: int) -> None:
    assert outcome(text, size) == expected


@pytest.mark.parametrize("size", [1, 64, 2**20])
@pytest.mark.parametrize(
    "text",
    [
        b'{"a": 1}\n{"b": "%s"}\n{"c": 3}\n',
        b'[{"a": 1},\n{"b": "%s"}, {"c": 3}]',
        b'{"a": 1}\n{"b": ["%s\n{"c": 3}\n',
        b'{"a": 1}\n{"b": [\n"%s"\n]}{"c": 3}',
    ],
)
def test_a_record_above_the_limit_is_skipped(text: bytes, size: int) -> None:
    found = outcome(text % (b'\\"}{' * 500), size, limit=1000)
    assert found[0] == (1, {"a": 1})
    assert found[1] == (2, "record: larger than 1000 bytes, the limit for one record")
    assert found[-1][1] == {"c": 3}
    assert len(found) == 3


@pytest.mark.parametrize("start", [b'[{"a": "', b'{"a": ', b"["])
@pytest.mark.parametrize(
    "filling", [b"x", b'"', b"[", b"{", b'\\"', b'{"a":1}', b'{"a":1},', b'{"a":[\n', b",1", b"\n"]
)
def test_memory_stays_bounded(start: bytes, filling: bytes) -> None:
    chunk = filling * (2**14 // len(filling))
    tracemalloc.start()
    for _ in split((chunk if n else start for n in range(25)), limit=2**14):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**18


def test_hostile_brackets_come_to_an_end() -> None:
    """Each of these took hours while reading went back without a budget."""
    for text in (b"{" * 2**17 + b"]" * 2**17, b'[{"a":' + b"[" * 2**17 + b"}" * 2**17, b'{"a":[1,\n' * 2**14):
        assert outcome(text)


@given(text=st.lists(st.sampled_from([*b'{}[]",:\\\n a1', 0xEF, 0xBB, 0xBF]), max_size=60), size=st.integers(1, 9))
def test_any_bytes_are_split_alike_whatever_the_chunks(text: list[int], size: int) -> None:
    outcome(bytes(text), size)


@given(VALUES)
@example({"a": 10**4000, "b": -(2**64), "c": 1.0, "d": True, "e": "\U0001f600"})
def test_decode_gives_back_what_json_wrote(value: Any) -> None:
    expected: Any
    try:
        text = json.dumps(value, ensure_ascii=False).encode()
        expected = value
    except UnicodeEncodeError:
        text, expected = json.dumps(value).encode(), None
    try:
        found = decode(text)
    except JsonFault as fault:
        assert "NUL" in fault.message or "half a character" in fault.message  # noqa: PT017
    else:
        assert expected is None or repr(found) == repr(expected)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"a": 1, "a": 2}', "a: the key is given twice; keep one"),
        (b'{"a": [{"b": 1, "\\u0062": 1}]}', "a[0].b: the key is given twice; keep one"),
        (b'{"a b": {"c\\n": 1, "c\\n": 1}}', '["a b"]["c\\n"]: the key is given twice; keep one'),
        (b'{"a": NaN}', "a: NaN is not JSON; leave the field out or give null"),
        (b'{"a": [1, -Infinity]}', "a[1]: -Infinity is not JSON; leave the field out or give null"),
        (b'{"a": 1e999}', "a: the number 1e999 is out of range"),
        (b'{"a": %s}' % (b"7" * 4301), "a: a number of more than 4300 digits; give it as a string"),
        (b'{"a": "\\ud800"}', "a: half a character (a \\ud800 to \\udfff escape without its other half)"),
        (b'{"\\udc00": 1}', "record: a key has half a character (a \\ud800 to \\udfff escape without its other half)"),
        (b'{"a": {"b": "x\\u0000"}}', "a.b: a NUL character (\\u0000); leave it out"),
        (b'{"a": {"b\\u0000": 1}}', "a: a key has a NUL character (\\u0000); leave it out"),
        (b"[" * 201 + b"]" * 201, "record: nested more than 200 levels deep"),
        (b'{"a":' * 100000, "record: nested more than 200 levels deep"),
        (b'{"a": "\xff"}', "record: not UTF-8: byte 0xff at line 7; save it as UTF-8"),
        (b'{"a":\n"\xed\xa0\x80"}', "record: half a character (a lone surrogate) at line 8; save it as UTF-8"),
        (b'{"a":\n1,}', CUT + "expected a key in double quotes (line 8, column 3)"),
        (b"{'a': 1}", CUT + "expected a key in double quotes (line 7, column 2)"),
        (b'{"a": "x\ny"}', CUT + "a control character in a string; write it as an escape, like \\n (line 7, column 9)"),
        (b'{"a": "x', CUT + "a string is not closed (line 7, column 7)"),
        (b'{"a": 1', CUT + "it is cut off: expected a comma or a closing bracket (line 7, column 8)"),
        (b"", CUT + "it is cut off: expected a value (line 7, column 1)"),
        (b"{} {}", CUT + "the record ends here, but the text goes on (line 7, column 4)"),
        (b'{"a": "\\x"}', CUT + "a \\ that starts no escape; write it as \\\\ (line 7, column 8)"),
    ],
)  # fmt: skip
def test_decode_says_what_is_wrong_and_where(raw: bytes, expected: str) -> None:
    with pytest.raises(JsonFault) as caught:
        decode(raw, line=7)
    assert str(caught.value) == expected


def test_decode_takes_what_only_looks_wrong() -> None:
    wide = {str(n): [] for n in range(300)}
    assert decode(json.dumps(wide).encode()) == wide
    assert decode(rb'{"a": "\\u0000", "b": "\"", "c": "\u0022\\"}') == {"a": "\\u0000", "b": '"', "c": '"\\'}
    assert decode(b"[" * 200 + b"]" * 200)


@given(
    st.binary()
    | st.builds(lambda text: text.encode("utf-8", "surrogatepass"), st.text(alphabet='{}[]",:\\ue0-19.tN\0\n'))
)
def test_decode_raises_nothing_but_faults(raw: bytes) -> None:
    try:
        value = decode(raw)
    except JsonFault as fault:
        assert fault.message.isprintable()  # noqa: PT017
    else:
        assert value == json.loads(raw.decode())


@given(OBJECTS, st.data())
def test_decode_of_damaged_json_raises_nothing_but_faults(documents: list[Any], data: st.DataObject) -> None:
    raw = bytearray(json.dumps(documents).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.binary(max_size=2) | st.sampled_from([b'"', b"\\u0000"])
        )
        raw = raw or bytearray(b" ")
    test_decode_raises_nothing_but_faults.hypothesis.inner_test(bytes(raw))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("head", "named", "unnamed"),
    [
        (b'{"a": 1}', True, True),
        (b' \n[\n {"a": 1}]', True, True),
        (b"{broken", True, False),
        (b"[1, 2]", True, False),
        (b"[", True, False),
        (b"[console_scripts]\nx = y", False, False),
        (b"[![badge](https://example.org)]", False, False),
        (b"Error: {}", False, False),
        (b"<html>{}", False, False),
        (b'"a": 1}\n{"a": 1}\n{"a": 2}\n', True, False),
        (b'Page\n\nText\n{"a": 1}\n', False, False),
        (b"", False, False),
    ],
)
def test_what_looks_like_json(head: bytes, named: bool, unnamed: bool) -> None:
    assert (is_json(head, sure=False), is_json(head, sure=True)) == (named, unnamed)
