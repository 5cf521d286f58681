"""Evidence decides: what speaks for a candidate, each part between 0 and about 1, and how much each part counts.

Each part is a number of its own, so that `--explain` can show it. The weights are few and were fitted: pairwise
logistic regression over the labelled queries and a generated test, by cross-validation (tests/bench/fit.py prints the
spread over folds). Logs and questions want different evidence, and have weights of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter, mul

from culdesac.queries.cards import NAMING, Card
from culdesac.queries.codes import differ
from culdesac.queries.glossary import Concept, Said
from culdesac.queries.lines import Line
from culdesac.queries.propose import Proposal
from culdesac.queries.query import Query, weight
from culdesac.queries.signatures import Match

PARTS = ("exact", "signature", "order", "regex", "bm25", "text", "names", "domain", "country", "code", "latent")
_LOG = dict(zip(PARTS, (0.1, 3.5, 2.7, 1.6, 1.2, 0.7, 0.0, 1.2, 0.0, 0.0, 2.0), strict=True))
_PROSE = dict(zip(PARTS, (100.0, 0.7, 0.0, 0.0, 4.5, 2.4, 1.6, 1.6, 0.7, 0.0, 3.5), strict=True))
_PARTS_OF = attrgetter(*PARTS)
#: An agreement of this much is a long message found whole; it is the scale of the part `signature`.
_WHOLE = 6.0
#: How much another way to say it counts beside the word itself.
_SYNONYM = 0.8


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a candidate.

    signature: agreement of the best line with the signature; order: the share of the signature's neighbouring words
    that are neighbours in that line; regex: whether the entry's own regex matches the line, and how rare the words are
    that it spells out; bm25: relative to the best candidate; text: the share of the query's weight that the entry
    holds, by column; names: the share of the query's names of options and the like that it has; domain: the share of
    all the candidates' bm25 that is in its domain; country: 1 when it is about a country that the query names, -1 when
    it is about another; code: -1 when line and signature have other codes of one family; latent: how near it is to the
    query by the company that their words keep. exact: a line is the signature word for word.

    covered, held, named and amount are not ranked by but tell how sure the first is: the share of the signature that
    the line has; the share of the telling words' weight (those that no entry holds included) that the entry holds
    anywhere (held) and in what names it (named); and how much that is, in words that no entry has (amount).
    """

    signature: float
    order: float
    regex: float
    bm25: float
    text: float
    names: float
    domain: float
    country: float
    code: float
    latent: float
    exact: bool
    covered: float
    held: float
    named: float
    amount: float
    line: Line | None

    def parts(self, prose: bool) -> dict[str, float]:
        """What each part adds to the rank."""
        weights = _PROSE if prose else _LOG
        return {name: weights[name] * getattr(self, name) for name in PARTS}

    def explain(self, prose: bool) -> dict[str, float]:
        """Every part for a reader: what it adds to the rank, then what the score rests on."""
        shares = {name: getattr(self, name) for name in ("covered", "held", "named", "amount")}
        found = {**self.parts(prose), "rank": self.rank(prose), **shares}
        return {name: round(value, 3) for name, value in found.items()}

    def rank(self, prose: bool) -> float:
        """The sum of the parts."""
        return float(sum(map(mul, (_PROSE if prose else _LOG).values(), _PARTS_OF(self))))


def weigh(
    query: Query, proposal: Proposal, match: Match, bm25: float, domain: float, latent: float, card: Card
) -> Evidence:
    """Weigh one candidate, its regex apart. `match` is its signature's, `bm25` is relative to the best one, `domain`
    the part of that name."""
    line = match.line
    text = held = named = 0.0
    for word, share in _shares(query, card).items():
        mass = query.weights[word]
        text += share * mass
        if word in query.telling:
            held += mass
            named += mass if share >= NAMING else 0.0
    meant = list(said(query.concepts, query, card))
    for share, meaning in meant:
        text += share * meaning
    for share, meaning in meant if query.told is query.concepts else said(query.told, query, card):
        held += meaning
        named += meaning if share >= NAMING else 0.0
    return Evidence(
        signature=match.agreement / _WHOLE,
        order=_order(line, card),
        regex=0.0,
        bm25=bm25,
        text=text / query.mass if query.mass else 0.0,
        names=proposal.names,
        domain=domain,
        country=_country(query, card),
        code=-1.0 if query.lines and differ((line or query.lines[0]).codes, card.codes) else 0.0,
        latent=latent,
        exact=proposal.exact and not (line is not None and line.wraps and len(query.lines) > 1),
        covered=match.covered,
        held=held / query.telling_mass if query.telling_mass else 0.0,
        named=named / query.telling_mass if query.telling_mass else 0.0,
        amount=held / weight(0, query.size),
        line=line,
    )


def _shares(query: Query, card: Card) -> dict[str, float]:
    """How well an entry holds each word of the query that it holds: by the column of the word, of another form of it,
    or of another way to say it, whichever is best."""
    words = card.words
    shares = {word: words[word] for word in query.open_words & words.keys()}
    for word, forms in query.forms.items():
        for form in forms:
            if form in words:
                shares[word] = max(shares.get(word, 0.0), words[form])
    there = query.spoken & words.keys()
    for phrase in query.phrases if there else ():
        share = 0.0 if phrase.words.isdisjoint(there) else _SYNONYM * _said(phrase, card)
        for word in phrase.pieces if share else ():
            shares[word] = max(shares.get(word, 0.0), share)
    return shares


def _country(query: Query, card: Card) -> float:
    if not query.countries or not card.country:
        return 0.0
    return 1.0 if card.country in query.countries else -1.0


def _said(phrase: Concept, card: Card) -> float:
    """How well an entry says a phrase in other words: the share of the column times how much of it is said there."""
    words = card.words
    best = 0.0
    for way in phrase.ways:
        if all(word in words for word in way):
            best = max(best, min(words[word] for word in way))
    return best


def said(concepts: tuple[Concept, ...], query: Query, card: Card) -> Iterator[tuple[float, float]]:
    """What an entry says of concepts: the weight of what is said from each share of column on."""
    if not concepts:
        return
    levels: dict[float, set[str]] = {}
    for word in query.spoken & card.words.keys():
        levels.setdefault(card.words[word], set()).add(word)
    found = Said(concepts, query.spoken)
    for share in sorted(levels, reverse=True):
        yield share, found.gain(frozenset(levels[share]))


def _order(line: Line | None, card: Card) -> float:
    if line is None or not card.pairs:
        return 0.0
    there = line.pairs
    return max(sum(pair in there for pair in pairs) / len(pairs) for pairs in card.pairs)
