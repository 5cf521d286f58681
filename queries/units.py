"""A query as a filter reads it: units, each of which a row has or lacks, as FTS5 expressions.

A unit is a word that somebody typed, in any of its forms, or a Chinese word in any of the ways that the glossary knows
to say it. Of the other ways to say an English word only phrases count (`oom`: out of memory); the single words there
are what it has to do with (heap).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from culdesac.db.text import HAN, camel_names, has_han, identifier_parts, words
from culdesac.queries.glossary import Concept
from culdesac.queries.query import Query
from culdesac.queries.stopwords import STOP_WORDS

#: A valid expression that matches no row.
NOTHING = '""'
#: So many words may stand between those of one way to say something.
_NEAR = 4
#: A word with a smaller share of a way isn't asked for: that takes long, and nearly every row has it.
_ASKED = 0.1
#: Of a long text only the rarest words are read.
_MOST_WORDS = 200
_HAN_RUN = re.compile(f"[{HAN}]+")


@dataclass(frozen=True)
class Unit:
    """An FTS5 expression, and how much it tells: the inverse document frequency of its commonest way."""

    expression: str
    weight: float


def units(query: Query, folded: str) -> list[Unit]:
    """What a filter asks for, the rarest first; empty when the query says nothing that the index knows.

    `folded` is the query's text as the index writes it. Words that say nothing are passed over, unless there is nothing
    else.
    """
    parts = set(identifier_parts(query.text)) - set(words(folded))
    own = [word for word in query.counts if word not in parts and word not in query.pieces]
    own = sorted(own, key=query.counts.__getitem__)[:_MOST_WORDS]
    latin = [word for word in own if not has_han(word)]
    telling = [word for word in latin if word not in STOP_WORDS]
    chinese = list(_chinese([word for word in own if has_han(word)], folded))
    alone = set(_HAN_RUN.findall(folded))
    found = [
        *(_concept(query, concept) for concept in query.concepts),
        *(_any(query, several) for several in chinese if len(several[0]) > 1 or several[0] in alone),
        *_guessed(query),
        *_names(query),
        *(_any(query, [word]) for word in telling),
    ]
    # Only what says little is left: single characters from inside a run, then words of every sentence.
    found = found or [_any(query, several) for several in chinese] or [_any(query, [word]) for word in latin]
    return sorted(dict.fromkeys(found), key=lambda unit: (-unit.weight, unit.expression))


def _unit(ways: Iterable[Collection[str]], weight: float) -> Unit:
    """Any of the ways to say something, each the words that stand together."""
    asked = dict.fromkeys(map(_together, ways))
    joined = " OR ".join(asked)
    return Unit(joined if len(asked) == 1 else f"({joined})", weight)


def _together(way: Collection[str]) -> str:
    quoted = " ".join(f'"{word}"' for word in way)
    return quoted if len(way) == 1 else f"NEAR({quoted}, {_NEAR + len(way) - 2})"


def _any(query: Query, several: list[str]) -> Unit:
    """Any of the words that were typed, each in all its forms."""
    forms = [form for word in several for form in query.forms.get(word, ())]
    said = [way for word in several for way in _phrases(query, word) if len(way) > 1]
    return _unit([*([word] for word in [*several, *forms]), *said], min(query.weights[word] for word in several))


def _phrases(query: Query, word: str) -> Iterator[Collection[str]]:
    """The other ways to say an English word."""
    return (way for phrase in query.phrases if phrase.pieces == {word} for way in phrase.ways)


def _concept(query: Query, concept: Concept) -> Unit:
    ways = []
    for way in concept.ways:
        asked = [word for word, share in way.items() if share >= _ASKED or word in concept.pieces]
        ways.append(asked if len(asked) > 1 else [*way])
    return _unit(ways, concept.weight)


def _guessed(query: Query) -> Iterator[Unit]:
    """For each word that no entry holds what was meant by it: another spelling, or what its phrase stands for."""
    near: dict[str, list[Collection[str]]] = {}
    for term, (word, _) in query.meant.items():
        near.setdefault(word, []).append([term])
    words = (word for line in query.lines for word in line.words if word not in query.counts)
    for word in dict.fromkeys(words):
        ways = [*near.get(word, ()), *_phrases(query, word)]
        if ways:
            yield _unit(ways, query.weights.get(word, 0.0))


def _names(query: Query) -> Iterator[Unit]:
    """Names in camelCase that no entry holds, but whose words all are known."""
    for line in query.lines:
        for name, parts in camel_names(line.text).items():
            if name not in query.counts and query.counts.keys() >= {*parts}:
                yield _unit([parts], max(query.weights[part] for part in parts))


def _chinese(own: list[str], folded: str) -> Iterator[list[str]]:
    """The Chinese words that no concept stands for, without those that lie inside another; those that overlap in the
    text are one unit, since only one of them can be meant."""
    whole = [word for word in own if not any(word != other and word in other for other in own)]
    while whole:
        group = [whole.pop(0)]
        for word in group:
            overlapping = [other for other in whole if _overlap(word, other, folded) or _overlap(other, word, folded)]
            group += overlapping
            whole = [other for other in whole if other not in overlapping]
        yield group


def _overlap(first: str, second: str, folded: str) -> bool:
    sizes = range(1, min(len(first), len(second)))
    return any(first[-size:] == second[:size] and first + second[size:] in folded for size in sizes)
