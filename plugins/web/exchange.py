"""Reading requests: what a search asks for, in an address, a form or JSON, and within which bounds."""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote_plus

from culdesac.db.messages import Lang, noted, translations
from culdesac.plugins.web.labels import tagged

T = TypeVar("T")
#: A posted body may be this long (a form before it was percent-encoded, which makes three bytes of one); so much more
#: is read, and dropped, for the client to hear of it.
MOST_BODY, MOST_DROPPED = 2**20, 2**24
#: A text is written into addresses up to this length; a longer one is packed, as long as that makes no longer address
#: than every server on the way takes. What is longer still can only be posted.
MOST_ADDRESS, MOST_PACKED = 2_000, 6_000
#: A packed text is no longer than this, in bytes: an address is asked for more easily than a body is sent.
MOST_UNPACKED = 100_000
MOST_RESULTS = 100
_MOST_PAGES = 10_000


# A page has a hundred addresses with the same texts in them.
_quoted = lru_cache(maxsize=64)(quote_plus)


class Refused(Exception):
    """A request that can't be answered: its status and one line that says why, a message with its values."""

    def __init__(self, status: int, message: str, values: Mapping[str, object] | None = None, **headers: str) -> None:
        self._message, self._values = message, values or {}
        super().__init__(self.told("en"))
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def told(self, lang: Lang) -> str:
        """The line in a language; programs get the English one, str()."""
        return translations(lang).gettext(self._message).format_map(self._values)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a search asks for."""

    q: str = ""
    db: str | None = None
    lang: str | None = None
    domain: str | None = None
    category: str | None = None
    resolvable: str | None = None
    verification_tier: str | None = None
    package: str | None = None
    os: str | None = None
    country: str | None = None
    chinese: str | None = None
    n: int | None = None
    page: int | None = None

    def address(self, path: str, **changes: Any) -> str:
        """The address of this search, with changes; parameters that say nothing are left out."""
        given = ((name, changes.get(name, getattr(self, name))) for name in _IN_ADDRESS)
        pairs = [f"{name}={_quoted(str(value))}" for name, value in given if value not in (None, "")]
        if pairs and len(pairs[-1]) > MOST_ADDRESS and pairs[-1].startswith("q="):
            pairs[-1] = f"z={packed(self.q)}"
        return f"{path}?{'&'.join(pairs)}" if pairs else path

    def ways(self, path: str) -> Callable[..., str]:
        """What makes addresses of this search with changes; empty ones where a page full of them would be too long."""
        many = len(self.q) > MOST_ADDRESS or len(self.address("")) > MOST_ADDRESS
        return (lambda **changes: "") if many else partial(self.address, path)

    @property
    def long(self) -> bool:
        """Whether it must be posted: its address would be too long for some server on the way."""
        return len(self.q.encode()) > MOST_UNPACKED or len(self.address("")) > MOST_PACKED


# The text last: it is the longest.
_IN_ADDRESS = (*(name for name in Asked.__slots__ if name != "q"), "q")
_COUNTS = ("n", "page")
_FIELDS = {*Asked.__slots__, "z", "set"}
_TEXTS = tuple(name for name in Asked.__slots__ if name not in _COUNTS)


@lru_cache(maxsize=64)
def packed(text: str) -> str:
    """A text as `z` in an address: raw deflate (RFC 1951) of its UTF-8, in base64url without padding (RFC 4648)."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9, wbits=-15)).rstrip(b"=").decode()


def unpacked(text: str) -> str:
    """What `packed` made. Raises Refused when it is something else, or too long."""
    unpacker = zlib.decompressobj(wbits=-15)
    try:
        found = unpacker.decompress(
            base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True), MOST_BODY + 1
        )
    except (ValueError, zlib.error):
        raise Refused(400, noted("z: not a packed text")) from None
    if len(found) > MOST_UNPACKED or not unpacker.eof:
        raise Refused(400, noted("z: not a packed text"))
    return found.decode("utf-8", "replace")


def clean(text: str) -> str:
    """Text that SQLite and UTF-8 take: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


async def asked(request: Any, *, strict: bool) -> Asked:
    """What a GET or POST asks for. Raises Refused for a wrong value.

    `strict` is for the API: a page is English in a language that we don't have, and has buttons (`set`)."""
    given: dict[str, Any] = {name: request.args.get(name) for name in request.args}
    if request.method == "POST":
        posted = _decode(request.headers.get("content-type", ""), await _body(request))
        if posted and not posted.keys() & _FIELDS:
            # What curl -d sends is a form, JSON too, where nobody says what it is.
            raise Refused(
                400,
                noted(
                    "the body has no field of a search; send JSON as application/json, a form as "
                    "application/x-www-form-urlencoded, or a text alone as text/plain"
                ),
            )
        given |= posted
    if given.get("z") and not given.get("q"):
        given["q"] = unpacked(given["z"]) if isinstance(given["z"], str) else given["z"]
    if not strict and isinstance(given.get("set"), str):
        # A facet of a search that is too long for an address is a button: "domain=cuda", or "domain=" for any; so is
        # the other language, which shows the same page of results.
        name, _, value = given["set"].partition("=")
        given[name] = value
        if name not in ("page", "lang"):
            given["page"] = None
    for name, value in given.items():
        if name in _TEXTS and value is not None and not isinstance(value, str):
            raise Refused(400, noted("{name}: expected a string"), {"name": name})
    texts: dict[str, Any] = {name: clean(given[name]) for name in _TEXTS if given.get(name)}
    if texts.get("lang"):
        lang = tagged(texts["lang"])
        if strict and not lang:
            raise Refused(400, noted("lang: expected en or zh"))
        texts["lang"] = lang
    texts |= {name: _count(name, given.get(name)) for name in _COUNTS}
    return Asked(**texts)


def _count(name: str, value: Any) -> int | None:
    if value in (None, ""):
        return None
    if isinstance(value, str) and len(value) < 1_000 and value.strip().isascii() and value.strip().isdigit():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return min(value, _MOST_PAGES if name == "page" else MOST_RESULTS)
    raise Refused(400, noted("{name}: expected a whole number of at least 1"), {"name": name})


async def _body(request: Any) -> bytes:
    body, length, more = b"", 0, True
    while more and length <= MOST_DROPPED:
        message = await request.receive()
        if message["type"] != "http.request":
            raise Refused(400, noted("the request ended too early"))
        chunk = message.get("body", b"")
        length += len(chunk)
        body = body + chunk if length <= 3 * MOST_BODY else b""
        more = message.get("more_body", False)
    if length > 3 * MOST_BODY:
        raise _too_long()
    return body


def _too_long() -> Refused:
    return Refused(413, noted("the body is longer than {count} bytes"), {"count": MOST_BODY})


def _decode(content_type: str, body: bytes) -> dict[str, Any]:
    kind = content_type.partition(";")[0].strip().lower()
    if kind in ("", "application/x-www-form-urlencoded"):
        return _decode_form(body)
    if len(body) > MOST_BODY:
        raise _too_long()
    text = body.decode("utf-8", "replace")
    if kind == "text/plain":
        return {"q": text}
    if kind != "application/json":
        raise Refused(415, noted("expected application/json, application/x-www-form-urlencoded or text/plain"))
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise Refused(400, noted("the body isn't JSON")) from None
    if not isinstance(found, dict):
        raise Refused(400, noted("the body isn't a JSON object"))
    return found


def _decode_form(body: bytes) -> dict[str, Any]:
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        raise Refused(400, noted("the form has too many fields")) from None
    if sum(len(value.encode("utf-8", "replace")) for _, value in pairs) > MOST_BODY:
        raise _too_long()
    return dict(pairs)


async def in_thread(datasette: Any, function: Callable[[], T]) -> T:
    """Run a function in one of Datasette's threads, as its queries are."""
    if datasette.executor is None:
        return function()
    return await asyncio.get_running_loop().run_in_executor(datasette.executor, function)
