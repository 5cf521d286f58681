"""The one normal form of text, shared by the index and by every query: folding, words, identifier parts.

The fold is NFKC, lower case, no combining marks, and traditional Chinese to simplified, character by character
(OpenCC's phrase dictionaries must not run here: they rewrite words of text that is already simplified). Plain ASCII,
which most text is, takes none of it but lower case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache

#: How Chinese is cut for the index (db/segment.py does it). A query that cuts another way would miss words.
SEGMENTATION = "jieba cut_for_search, no HMM"
#: Chinese: the unified ideographs with extension A, the compatibility block (gone after NFKC), and 〇.
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3007"
_HAN_RUN = re.compile(f"[{HAN}]+")
_WORD = re.compile(r"[^\W_]+")
# ActivityNotFoundException, parseJSONObject, E0502: where a reader sees a new word inside one token.
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CAMEL = re.compile(r"\b[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*\b|\b[A-Z]{2,}[a-z]+[A-Za-z0-9]*\b")
# A token of this length is no word; without a cap a 10 MB "word" would be an index term.
_LONGEST = 64
# Every ASCII character as the index has it: letters lower case, digits, and a blank for all else.
_ASCII_WORDS = bytes(ord(chr(code).lower()) if chr(code).isalnum() and code < 128 else 32 for code in range(256))
_OVERLONG = re.compile(rf"[^\W_]{{{_LONGEST + 1},}}")


@cache
def simplified() -> Mapping[int, int]:
    """Traditional to simplified, one character to one, as a `str.translate` table (4,000 entries, made once)."""
    from opencc import OpenCC  # a compiled library: only text that holds Chinese pays for it

    converter = OpenCC("t2s")
    characters = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))]
    # One call for all: a line each, since a phrase never crosses a line.
    pairs = zip(characters, converter.convert("\n".join(characters)).split("\n"), strict=True)
    return {ord(source): ord(target) for source, target in pairs if source != target and len(target) == 1}


def has_han(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return not text.isascii() and _HAN_RUN.search(text) is not None


def has_chinese(*texts: str | None) -> bool:
    """Whether any of the texts, as far as there are any, is in Chinese."""
    return any(has_han(text) for text in texts if text)


def fold(text: str, simplify: Callable[[], Mapping[int, int]] = simplified) -> str:
    """Fold text for index and query. `simplify` gives the table of characters, asked for only when there is Chinese."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text)
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = unicodedata.normalize("NFKC", text).lower()
    return text.translate(simplify()) if _HAN_RUN.search(text) else text


def words(folded: str) -> list[str]:
    """The words of folded text, in order, as FTS5's unicode61 would cut it."""
    return ascii_words(folded) if folded.isascii() else _WORD.findall(folded)


def ascii_words(text: str) -> list[str]:
    """The same of ASCII text, folded or not: most text is, and this takes a fifth of the time."""
    return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()


def signature_key(text: str, simplify: Callable[[], Mapping[int, int]] = simplified) -> str:
    """The words of a message in one normal form, for exact look-up; "" when it has none. At most 500 characters."""
    return " ".join(words(fold(text, simplify)))[:500]


def identifier_parts(text: str) -> list[str]:
    """The words inside camelCase names, lower case: `ActivityNotFoundException` gives activity, not, found, exception.

    A reader who remembers one of them finds the name; snake_case needs no help, FTS5 cuts at the underscore.
    """
    return [part.lower() for name in _CAMEL.findall(text) for part in _PART.findall(name)]


def camel_names(text: str) -> dict[str, list[str]]:
    """The camelCase names in a text, lower case, each with the words inside, lower case too."""
    return {name.lower(): [part.lower() for part in _PART.findall(name)] for name in _CAMEL.findall(text)}


def index_text(text: str | None, segment: Callable[[str], list[str]], *, parts: bool = False) -> str | None:
    """Text as a full-text index holds it: its folded words, a blank between them, Chinese cut by `segment`.

    `parts` appends the parts of camelCase names. Overlong words are cut short. Gives None for a text without words.
    """
    if not text:
        return None
    if parts:
        found = identifier_parts(text)
        if found:
            text = f"{text} {' '.join(found)}"
    if text.isascii():
        joined = " ".join(ascii_words(text))
        return _OVERLONG.sub(lambda word: word[0][:_LONGEST], joined) if len(joined) > _LONGEST else joined or None
    folded = fold(text)
    if not folded.isascii() and _HAN_RUN.search(folded):
        folded = _HAN_RUN.sub(lambda run: f" {' '.join(segment(run[0]))} ", folded)
    joined = " ".join(words(folded))
    return _OVERLONG.sub(lambda word: word[0][:_LONGEST], joined) if len(joined) > _LONGEST else joined or None
