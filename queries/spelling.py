"""English spelling, without a dictionary: other forms of a word, other spellings near it, and its stem.

Which of them are words, the index says.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from culdesac.queries.sql import FOLDER

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ion")
_SHORTEST_STEM = 3


def inflections(word: str) -> set[str]:
    """Forms that an English word may also have: of `retries` retry, retried, retrying and some that are no words."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return set()
    stems = {word}
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            stems |= {stem, f"{stem}e"}
            if len(stem) > 3 and stem[-1] == stem[-2]:
                stems.add(stem[:-1])
    for ending in ("ies", "ied"):
        if word.endswith(ending) and len(word) > 4:
            stems.add(f"{word[:-3]}y")
    forms = set(stems)
    for stem in stems:
        forms |= {stem + ending for ending in _ENDINGS}
        if stem.endswith("e"):
            forms |= {f"{stem[:-1]}ing", f"{stem}d"}
        if stem.endswith("y"):
            forms |= {f"{stem[:-1]}ies", f"{stem[:-1]}ied"}
    return forms - {word}


def plain_forms(word: str) -> set[str]:
    """The forms that are sure to be of the same word: its plural, its past, its -ing; of a plural the singular."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return set()
    forms = {f"{word}s", f"{word}es", f"{word}ed", f"{word}ing"}
    if word.endswith("e"):
        forms |= {f"{word}d", f"{word[:-1]}ing"}
    if word.endswith("y"):
        forms |= {f"{word[:-1]}ies", f"{word[:-1]}ied"}
    if word.endswith("s") and len(word) > 4 and not word.endswith("ss"):
        forms.add(word[:-1])
    return forms


def edits(word: str) -> Iterator[str]:
    """Every spelling one edit away: a letter left out, doubled or added, replaced, or two neighbours swapped."""
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)


@cache
def irregular() -> dict[str, str]:
    """The words of irregular_en.txt by their forms. Read by the first question."""
    lines = (FOLDER / "irregular_en.txt").read_text(encoding="utf-8").splitlines()
    groups = (line.split() for line in lines if line and not line.startswith("#"))
    return {form: word for word, *forms in groups for form in forms}


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """What the forms of a word have in common, for comparing stems alone: it may be no word, and `cop` is copy's.

    It is the beginning of the word, or of the word whose irregular form it is.
    """
    word = irregular().get(word, word)
    if not word.isascii() or not word.isalpha() or len(word) <= _SHORTEST_STEM:
        return word
    for ending in ("ies", "ied", "ying", "ing", "ed", "es", "s"):
        left = word.removesuffix(ending)
        sounds = len(left) >= _SHORTEST_STEM and any(letter in "aeiouy" for letter in left)
        if left != word and sounds and not word.endswith(("ss", "us", "is")):
            word = left
            break
    if len(word) > _SHORTEST_STEM and word[-1] in "ey":
        word = word[:-1]
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls" else word
