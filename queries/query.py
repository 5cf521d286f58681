"""Reading a query: whatever a person pastes, as lines of folded words with how rare each of them is.

Which words are worth asking for is decided by the index: it says how many entries hold a word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from culdesac.db.text import camel_names, fold, has_han, identifier_parts, words
from culdesac.queries.asking import asks_how
from culdesac.queries.chinese import HAN_RUN, Chinese
from culdesac.queries.expand import Saying, compounds, concepts, expansions
from culdesac.queries.glossary import NO_GLOSSARY, Concept, Simplify, glossary, mainland
from culdesac.queries.lines import Line
from culdesac.queries.phrases import countries, said
from culdesac.queries.postings import MOST_POSTINGS
from culdesac.queries.stopwords import STOP_WORDS, VAGUE
from culdesac.queries.terms import Terms

#: A longer query is cut to its first and last half of this many characters: an error stands at either end of a log.
MOST_CHARACTERS = 1_000_000
#: So many of these may be Chinese; of a text with more, less is read.
MOST_CHINESE = 20_000
#: Distinct words that are looked up at all.
MOST_WORDS = 5_000
#: The share of the weight of a word that nobody knows from which on a query says enough.
_ENOUGH = 0.8
#: How much a question how to do something says of an error.
_HOW_TO = 0.4
#: A longer text is no question, and isn't compared with the glossaries.
_LONGEST_QUESTION = 2_000
#: (documents that the terms that propose by text may be in, fewest terms, most terms).
_TEXT_TERMS = (1_500, 4, 64)
_LOG_TEXT_TERMS = (500, 4, 64)
#: The weight of a word that about a third of all entries hold.
_TELLING = 1.0
_SIGNATURE_TERMS = (2_000, 4, 200)
#: How many terms that the query doesn't have propose entries, and how much a word weighs that was guessed.
_MOST_SAID, _DOUBT = 60, 0.8
_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{1,40}(?:[-_.][A-Za-z0-9]{1,40}){1,9}")
_MOST_NAMES = 8
#: A text of at most so many words is a search for keywords; a longer one with fewer marks a letter than this is prose,
#: on one line or several. Both are answered from all the text; anything else is a log, and its lines are compared with
#: signatures.
_FEW_WORDS, _FEW_MARKS = 16, 0.045
#: Keywords on several lines have at most so many marks a letter: more are times and numbers, which a log has.
_SOME_MARKS = 0.2
_MARK = re.compile(r"[/:=()\[\]{}<>_\"`#@|\\;]|[0-9]+|\B['’]|['’]\B")
#: What a program printed, however short: a name and a colon, a call, a thing in quotes; unless somebody speaks in its
#: single line.
_MESSAGE = re.compile(r"\w: \S|\w\(\)|\w ['\"`][^'\"`]+['\"`]")
_ASKING = {"i", "im", "ive", "my", "me", "we", "our", "how", "why", "what", "where", "who", "should", "can", "does"}
#: A long number, a hash, a part of a UUID: in a log, but in no signature.
_ID = re.compile(r"[0-9]{6,}|(?=[0-9a-f]*[0-9])[0-9a-f]{8,}|.{41,}")
#: What a chat puts around a pasted text.
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.M)
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")


@dataclass(frozen=True)
class Query:
    """An analysed query.

    `counts`: how many entries hold each known word, `signatures`: how many signatures do; `unknown`: words that no
    entry holds; `prose`: keywords or a question rather than a log; `size`: how many entries the file has; `meant`: for
    other terms of the index the word of the query that they stand for, and in how many entries they are; `concepts`:
    what its Chinese words mean, and how English text says it; they stand for the words. `phrases`: how else its
    everyday English is said; that stands beside the words. `countries`: of the places that it names.
    """

    text: str
    lines: tuple[Line, ...]
    counts: dict[str, int]
    signatures: dict[str, int]
    unknown: frozenset[str]
    prose: bool
    size: int
    meant: dict[str, tuple[str, int]] = field(default_factory=dict)
    concepts: tuple[Concept, ...] = ()
    phrases: tuple[Concept, ...] = ()
    countries: frozenset[str] = frozenset()
    weights: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        weights = {word: weight(count, self.size) for word, count in self.counts.items()}
        for word, count in self.meant.values():
            # A word that nobody knows weighs what the word weighs that was meant, a little less for the doubt.
            if word not in self.counts:
                weights[word] = max(weights.get(word, 0.0), _DOUBT * weight(count, self.size))
        for phrase in self.phrases:
            for word in phrase.pieces - self.counts.keys():
                weights[word] = max(weights.get(word, 0.0), _DOUBT * phrase.weight / len(phrase.pieces))
        object.__setattr__(self, "weights", weights)

    @cached_property
    def own_terms(self) -> dict[str, float]:
        """The rarest of its words with their weights; for a misspelt one the word that was meant."""
        meant = {term: count for term, (word, count) in self.meant.items() if word not in self.counts}
        counts = {**self.counts, **meant}
        capped = {term: min(count, MOST_POSTINGS) for term, count in counts.items() if term not in self.pieces}
        if self.prose:
            capped = {term: count for term, count in capped.items() if term not in STOP_WORDS} or capped
        chosen = affordable(capped, *(_TEXT_TERMS if self.prose else _LOG_TEXT_TERMS))
        return {term: weight(counts[term], self.size) for term in chosen}

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """What is looked for as it stands, as words: names of options, settings and the like (break-system-packages); a
        short question as a whole, and three words of it in a row of which some are stop words, since those say
        something in a row with others (out of memory)."""
        text = self.text if self.prose and len(self.text) <= _LONGEST_QUESTION else ""
        found = (tuple(words(fold(name, dict[int, int]))) for name in _NAME.findall(text))
        spoken = self.lines[0].words if text.isascii() and self.lines and text else ()
        whole = [spoken] if 1 < len(spoken) <= _MOST_NAMES else []
        threes = zip(spoken, spoken[1:], spoken[2:], strict=False) if len(spoken) <= _FEW_WORDS else ()
        rows = (
            three
            for three in threes
            if three[0] not in _ASKING and three[2] not in STOP_WORDS and not STOP_WORDS.isdisjoint(three)
        )
        return list(dict.fromkeys([*whole, *found, *rows]))[:_MOST_NAMES]

    @cached_property
    def text_terms(self) -> dict[str, float]:
        """Its own terms and what says the same, with weights, for proposing entries by all their text."""
        said: dict[str, float] = {}
        for concept in (*self.concepts, *self.phrases):
            for term, mass in concept.terms.items():
                said[term] = max(mass, said.get(term, 0.0))
        # What a third of all entries say proposes none of them, unless nothing else is said.
        telling = {term: mass for term, mass in said.items() if mass >= _TELLING} or said
        rarest = sorted(telling, key=lambda term: (-telling[term], term))[:_MOST_SAID]
        return {**{term: telling[term] for term in rarest}, **self.own_terms}

    @cached_property
    def marked(self) -> dict[str, float]:
        """The words to mark in a text, with their weights: those of the query and those that say what it means."""
        said = {term: mass for concept in (*self.concepts, *self.phrases) for term, mass in concept.terms.items()}
        return {**said, **self.weights}

    @cached_property
    def pieces(self) -> frozenset[str]:
        """The known words for which a concept stands."""
        return frozenset(word for concept in self.concepts for word in concept.pieces)

    @cached_property
    def open_words(self) -> frozenset[str]:
        """The words that count by themselves: all but those for which a concept stands, and in a question those that
        say nothing."""
        found = frozenset(self.weights) - self.pieces
        return (found - STOP_WORDS if self.prose else found) or found

    @cached_property
    def forms(self) -> dict[str, list[str]]:
        """For a word that counts by itself the other terms of the index that stand for it."""
        found: dict[str, list[str]] = {}
        for term, (word, _) in self.meant.items():
            if word in self.open_words:
                found.setdefault(word, []).append(term)
        return found

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The words of all the ways to say its concepts and phrases."""
        return frozenset(word for concept in (*self.concepts, *self.phrases) for word in concept.words)

    @cached_property
    def meaning(self) -> float:
        """The summed weight of the concepts."""
        return sum(concept.weight for concept in self.concepts)

    @cached_property
    def signature_words(self) -> list[str]:
        """The words that are rarest among signatures."""
        return affordable(self.signatures, *_SIGNATURE_TERMS)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The known words that say something by themselves: all but stop words, those of concepts, and places."""
        return frozenset(self.weights) - STOP_WORDS - self.pieces - self.placed

    @cached_property
    def placed(self) -> frozenset[str]:
        """Its words for places, which say where and not what."""
        return frozenset(word for phrase in self.phrases if phrase.place for word in phrase.pieces)

    @cached_property
    def told(self) -> tuple[Concept, ...]:
        """The concepts that say something by themselves: all but places."""
        told = tuple(concept for concept in self.concepts if not concept.place)
        return told if len(told) < len(self.concepts) else self.concepts

    @cached_property
    def telling_mass(self) -> float:
        """The summed weight of the telling words, those that no entry holds included."""
        unknown = len(self.unknown - STOP_WORDS) * weight(0, self.size)
        return sum(self.weights[word] for word in self.telling) + sum(one.weight for one in self.told) + unknown

    @cached_property
    def substance(self) -> float:
        """How much the query says of an error, 0 to 1: all of it with a little more than one rare word, or three common
        ones. Numbers that are no codes and vague words say nothing, and so does what says that all is well; a question
        how to do something says little, unless it is one about a country."""
        if self.lines and all(line.succeeds for line in self.lines):
            return 0.0
        concepts = sum(concept.weight for concept in self.told if concept.word not in VAGUE)
        unknown = len(self.unknown - STOP_WORDS) * weight(0, self.size)
        words = {word for word in self.telling if word not in VAGUE and not (word.isascii() and len(word) == 1)}
        codes = {number for line in self.lines for numbers in line.codes.values() for number in numbers}
        telling = {word for word in words if not word.isdigit() or word in codes}
        if telling or concepts:
            # Beside a word a number that some message has may be one, too: 911.
            telling |= words & self.signatures.keys()
        mass = sum(self.weights[word] for word in telling) + concepts + unknown
        said = min(1.0, mass / (_ENOUGH * weight(0, self.size)))
        spoken = {word for line in self.lines for word in line.words}
        asked = self.prose and not self.countries and asks_how(self.text, spoken)
        return _HOW_TO * said if asked else said

    @cached_property
    def mass(self) -> float:
        """The summed weight of the words that count by themselves and the concepts."""
        return sum(self.weights[word] for word in self.open_words) + self.meaning


def analyse(terms: Terms, text: str, entries: int, simplify: Simplify) -> Query:
    """Read a query of any length and content, among so many entries. Never raises for any text.

    `simplify` gives the file's table of characters when the query holds Chinese.
    """
    # What a terminal paints, and a long indent, are neither marks nor length.
    painted = _ANSI.sub("", _FENCE.sub("", _cut(text)))
    text = "\n".join(line.strip(" \t\0") for line in painted.split("\n"))
    lines, chinese = _lines(terms, text, simplify)
    asked = _asked(lines)
    known = terms.get(asked)
    counts = {word: term.entries for word, term in known.items()}
    signatures = {word: term.signatures for word, term in known.items() if term.signatures}
    unknown = frozenset(asked) - counts.keys()
    if not _is_prose(text, lines, len(asked)):
        return Query(text, tuple(lines), counts, signatures, unknown, False, entries)
    helped, parts = _names(lines, counts)
    unknown -= helped
    counts = {word: count for word, count in counts.items() if word not in parts} or counts
    meant = _meant(terms, counts, unknown)
    idf = lambda count: weight(count, entries)  # noqa: E731
    means = concepts(terms, chinese.sayings(), idf)
    asking = lines if len(text) <= _LONGEST_QUESTION else []
    english = [found for line in asking for found in said(line.words, STOP_WORDS)]
    sayings = [Saying(phrase.key, own, phrase.ways, phrase.country is not None) for phrase, own in english]
    typed = [word for line in asking for word in line.words if word not in STOP_WORDS]
    misspelt = {word for word, _ in meant.values()}
    phrases = concepts(terms, [*sayings, *compounds(terms, typed, unknown - misspelt)], idf)
    places = {phrase.country for phrase, _ in english} | {
        countries().get(tuple(way)) for one in means for way in one.ways
    }
    unknown -= misspelt | {concept.word for concept in means}
    unknown -= {word for phrase in phrases for word in phrase.pieces}
    return Query(
        text,
        tuple(lines),
        counts,
        signatures,
        unknown,
        True,
        entries,
        meant,
        means,
        phrases,
        frozenset(filter(None, places)),
    )


def _names(lines: list[Line], counts: Mapping[str, int]) -> tuple[set[str], set[str]]:
    """Of names in camelCase: the words that needn't be known, and the known ones that count for nothing.

    A name of which all the words are known is known, and one that is known needs none of them. Those that stand nowhere
    else say less than it does, and mislead: allow, disk and use of allowDiskUse.
    """
    names = {name: parts for line in lines for name, parts in camel_names(line.text).items()}
    whole = {part for name, parts in names.items() if name in counts for part in parts}
    known = {name for name, parts in names.items() if counts.keys() >= {*parts}}
    typed = {word for line in lines for word in words(fold(line.text, dict[int, int]))} if whole else whole
    return known | whole, whole - typed


def _asked(lines: list[Line]) -> list[str]:
    """The distinct words of the lines. Of very many those that are no ids, from both ends: errors stand there."""
    found = list(dict.fromkeys(word for line in lines for word in line.words))
    if len(found) <= MOST_WORDS:
        return found
    ends = (line for pair in zip(lines, reversed(lines), strict=True) for line in pair)
    likely = dict.fromkeys(word for line in ends for word in line.words if not _ID.fullmatch(word))
    return list(likely)[:MOST_WORDS]


def _is_prose(text: str, lines: list[Line], words: int) -> bool:
    """Whether this is keywords or a question rather than a log."""
    if not lines or (len(lines) > 1 and len(text) > _LONGEST_QUESTION):
        return False
    asks = len(lines) == 1 and ("?" in text or not _ASKING.isdisjoint(lines[0].words))
    if _MESSAGE.search(re.sub(r"[ \t]+", " ", text)) and not asks:
        return False
    marks = len(_MARK.findall(text)) / (len(re.sub(r"\s", "", text)) or 1)
    return marks < _FEW_MARKS or (words <= _FEW_WORDS and (len(lines) == 1 or marks < _SOME_MARKS))


def _meant(terms: Terms, counts: Mapping[str, int], unknown: frozenset[str]) -> dict[str, tuple[str, int]]:
    found = expansions(terms, counts.keys() - STOP_WORDS, unknown - STOP_WORDS)
    return {
        term: (word, count)
        for word, others in sorted(found.items())
        for term, count in others.items()
        if term not in counts
    }


def weight(count: int, entries: int) -> float:
    """A word's inverse document frequency, ln(1 + (N - n + ½)/(n + ½)): that of Lucene's BM25, never negative."""
    return math.log(1 + (max(entries, count) - count + 0.5) / (count + 0.5))


def affordable(counts: Mapping[str, int], budget: int, fewest: int, most: int) -> list[str]:
    """The rarest words, as long as the documents they are in sum up to less than the budget; at least `fewest`."""
    chosen: list[str] = []
    spent = 0
    for word, count in sorted(counts.items(), key=lambda item: (item[1], item[0])):
        if len(chosen) >= most or (len(chosen) >= fewest and spent + count > budget):
            break
        chosen.append(word)
        spent += count
    return chosen


def _cut(text: str) -> str:
    """The ends of a text that is too long; the more of it is Chinese, which is slower to read, the shorter they are."""
    chinese = sum(len(run) for run in HAN_RUN.findall(text)) if len(text) > MOST_CHINESE else 0
    most = min(MOST_CHARACTERS, len(text) * MOST_CHINESE // chinese) if chinese else MOST_CHARACTERS
    return text if len(text) <= most else f"{text[: most // 2]}\n{text[-most // 2 :]}"


def _lines(terms: Terms, text: str, simplify: Simplify) -> tuple[list[Line], Chinese]:
    """The distinct lines that hold words, and what was read of their Chinese."""
    words_of = glossary() if has_han(text) and len(text) <= _LONGEST_QUESTION else NO_GLOSSARY
    plain = re.split(r"\r\n|[\r\n]", text.replace("\0", " "))
    taiwan: dict[str, str] = {}
    told = [mainland(line, simplify(), taiwan) for line in plain] if words_of.longest else plain
    folded = [fold(line, simplify) for line in told]
    chinese = Chinese(terms, words_of, folded, taiwan)
    lines = []
    seen: set[tuple[str, ...]] = set()
    for number, (line, low) in enumerate(zip(plain, folded, strict=True), 1):
        found = tuple(_words(line, low, chinese))
        if found and found not in seen:
            seen.add(found)
            lines.append(Line(number, line.strip(), found))
    return lines, chinese


def _words(line: str, folded: str, chinese: Chinese) -> list[str]:
    found: list[str] = []
    for word in words(folded):
        if word.isascii():
            found.append(word[:64])
            continue
        found.extend(piece[:64] for piece in HAN_RUN.sub(" ", word).split())
        for run in HAN_RUN.findall(word):
            found.extend(chinese.words(run))
    found.extend(identifier_parts(line))
    return found
