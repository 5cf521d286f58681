"""Other words for the words of a question: other forms, what a misspelt one meant, other ways to say it.

Only questions and keywords are expanded. A log is what a program printed, and there another form of a word is another
word. The index says which words exist.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from culdesac.queries.glossary import Concept
from culdesac.queries.spelling import edits, plain_forms
from culdesac.queries.terms import Term, Terms

#: Words shorter than this are too like each other to guess between; longer ones are rarely typed.
_SHORTEST, _LONGEST = 5, 24
#: So many unknown words are looked for in other spellings, so many forms are added to a word.
_MOST_UNKNOWN, _MOST_FORMS = 6, 4
#: The shortest part of a compound.
_PART = 3
_NUMBERED = re.compile(r"([a-z]+)([0-9]+)")


@dataclass(frozen=True)
class Saying:
    """A word or phrase of a question that a glossary knows: the words of the index in it, and its renderings, each
    as words; whether it is a place."""

    word: str
    own: frozenset[str]
    ways: list[tuple[str, ...]]
    place: bool = False


def expansions(terms: Terms, known: Iterable[str], unknown: Iterable[str]) -> dict[str, dict[str, int]]:
    """For each word the commonest other terms of the index that stand for it, with in how many entries they are."""
    asked = sorted(unknown)
    guessed = [word for word in asked if _SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()]
    found = dict(terms.forms([*known, *guessed[:_MOST_UNKNOWN]]))
    near = {word: set(edits(word)) for word in guessed[:_MOST_UNKNOWN]}
    if near:
        there = terms.look(set(chain.from_iterable(near.values())))
        for word, spellings in near.items():
            found[word] = found[word] | {spelling: there[spelling] for spelling in spellings & there.keys()}
    return {word: _commonest(forms, _MOST_FORMS) for word, forms in found.items()}


def _commonest(forms: Mapping[str, Term], most: int) -> dict[str, int]:
    ranked = sorted(forms.items(), key=lambda item: (-item[1].entries, item[0]))
    return {term: held.entries for term, held in ranked[:most]}


def compounds(terms: Terms, asked: Sequence[str], unknown: Collection[str]) -> Iterator[Saying]:
    """Two words that entries write as one (data loader), and unknown words that they write as two (numworkers,
    nginx502)."""
    pairs = {first + second: (first, second) for first, second in pairwise(asked) if _joins(first) and _joins(second)}
    for joined in terms.get(pairs):
        yield Saying(joined, frozenset(pairs[joined]), [(joined,)])
    splits = {word: _splits(word) for word in sorted(unknown) if word.isascii() and len(word) <= _LONGEST}
    there = terms.look({part for several in splits.values() for split in several for part in split})
    for word, several in splits.items():
        known = [two for two in several if there.keys() >= {*two} and (len(several) == 1 or terms.together(two))]
        if known:
            yield Saying(word, frozenset({word}), [max(known, key=lambda two: min(there[one].entries for one in two))])


def _splits(word: str) -> list[tuple[str, ...]]:
    """A name and its number, or every way to cut a word in two."""
    if named := _NUMBERED.fullmatch(word):
        return [named.groups()]
    cuts = range(_PART, len(word) - _PART + 1) if word.isalpha() else ()
    return [(word[:place], word[place:]) for place in cuts]


def _joins(word: str) -> bool:
    return len(word) > 1 and word.isascii() and word.isalpha()


def concepts(terms: Terms, sayings: Iterable[Saying], idf: Callable[[int], float]) -> tuple[Concept, ...]:
    """What the glossary's words of a question mean, in words that the index has.

    `idf` is the weight of a word that so many entries hold. A way of saying it that has a word which no entry holds in
    any form is left out, and so is what no way is left for.
    """
    sayings = list(sayings)
    parts = {part for saying in sayings for way in saying.ways for part in way}
    counts = terms.get({*parts, *(part for saying in sayings for part in saying.own)})
    forms = terms.forms(sorted(parts), plain_forms)
    found = (_concept(saying, counts, forms, idf) for saying in sayings)
    return tuple(concept for concept in found if concept.ways)


def _concept(
    saying: Saying, counts: Mapping[str, Term], forms: Mapping[str, Mapping[str, Term]], idf: Callable[[int], float]
) -> Concept:
    held = [{part: counts[part].entries for part in sorted(saying.own)}] if saying.own <= counts.keys() else []
    inside: set[str] = set()
    for way in saying.ways:
        # A part of what was said before is no way to say it: 数据库连接 is a database connection, and not just any.
        if len(way) > 1:
            inside.update(way)
        elif way[0] in inside:
            continue
        held += _held(way, counts, forms)
    shares: list[dict[str, float]] = []
    holders: list[int] = []
    for way_held in filter(None, held):
        parts = {part: idf(count) for part, count in way_held.items()}
        whole = sum(parts.values()) or 1.0
        shares.append({part: mass / whole for part, mass in parts.items()})
        # Words that stand together are rarer than the rarest of them: by how much isn't known, half is a guess.
        rarest = min(way_held.values())
        holders.append(rarest if len(way_held) == 1 else (rarest + 1) // 2)
    # Another way to say it weighs no more than the words themselves, unless nobody knows those.
    known = saying.own and saying.own <= counts.keys()
    most = sum(idf(counts[part].entries) for part in saying.own) if known else math.inf
    masses = tuple(min(most, idf(count)) for count in holders)
    return Concept(saying.word, saying.own, tuple(shares), min(masses, default=0.0), masses, saying.place)


def _held(
    way: tuple[str, ...], counts: Mapping[str, Term], forms: Mapping[str, Mapping[str, Term]]
) -> list[dict[str, int]]:
    """A way of saying it as the index has it, each word with in how many entries it is: one word in each of its
    forms, several as they are, with the commonest form for one that no entry holds."""
    if len(way) == 1:
        there = _commonest(forms[way[0]], _MOST_FORMS)
        if way[0] in counts:
            there[way[0]] = counts[way[0]].entries
        return [{word: count} for word, count in there.items()]
    found: dict[str, int] = {}
    for part in way:
        if part in counts:
            found[part] = counts[part].entries
        elif forms[part]:
            found.update(_commonest(forms[part], 1))
        else:
            return []
    return [found]
