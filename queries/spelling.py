"""English spelling, without a dictionary: other forms of a word, other spellings near it, and its stem.

Which of them are words, the index says.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ion")
#: Verbs whose past has another stem.
_IRREGULAR = dict(
    pair.split(":")
    for pair in [
        "went:go",
        "gone:go",
        "goes:go",
        "ran:run",
        "took:take",
        "taken:take",
        "kept:keep",
        "sent:send",
        "lost:lose",
        "left:leave",
        "came:come",
        "found:find",
        "felt:feel",
        "fell:fall",
        "fallen:fall",
        "broke:break",
        "broken:break",
        "froze:freeze",
        "frozen:freeze",
        "stuck:stick",
        "stole:steal",
        "stolen:steal",
        "saw:see",
        "seen:see",
        "said:say",
        "told:tell",
        "thought:think",
        "bought:buy",
        "brought:bring",
        "built:build",
        "wrote:write",
        "written:write",
        "gave:give",
        "given:give",
        "got:get",
        "gotten:get",
        "grew:grow",
        "grown:grow",
        "knew:know",
        "known:know",
        "made:make",
        "paid:pay",
        "rose:rise",
        "risen:rise",
        "showed:show",
        "shown:show",
        "shut:shut",
        "slept:sleep",
        "spent:spend",
        "stood:stand",
        "threw:throw",
        "thrown:throw",
        "understood:understand",
        "woke:wake",
        "woken:wake",
        "won:win",
        "ate:eat",
        "eaten:eat",
        "drank:drink",
        "drunk:drink",
        "drove:drive",
        "driven:drive",
        "flew:fly",
        "flown:fly",
        "forgot:forget",
        "forgotten:forget",
        "hid:hide",
        "hidden:hide",
        "held:hold",
        "met:meet",
        "overrode:override",
        "overridden:override",
        "read:read",
        "sold:sell",
        "shook:shake",
        "sank:sink",
        "sunk:sink",
        "spoke:speak",
        "spoken:speak",
        "tore:tear",
        "torn:tear",
        "wore:wear",
        "worn:wear",
        "died:die",
        "dies:die",
        "dying:die",
        "lying:lie",
        "lies:lie",
        "tying:tie",
        "children:child",
        "people:person",
        "men:man",
        "women:woman",
        "feet:foot",
        "teeth:tooth",
        "mice:mouse",
        "indices:index",
        "vertices:vertex",
        "matrices:matrix",
    ]
)
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


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """What the forms of a word have in common: crude, but the same for all of them and only compared with stems."""
    word = _IRREGULAR.get(word, word)
    if not word.isascii() or not word.isalpha() or len(word) <= _SHORTEST_STEM:
        return word
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            left = word[: -len(ending)] + instead
            if len(left) >= _SHORTEST_STEM and any(letter in "aeiouy" for letter in left):
                word = left
                break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word
