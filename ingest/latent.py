"""Latent semantic indexing: words and entries as vectors in one space, where what keeps the same company is near.

S. Deerwester et al., "Indexing by Latent Semantic Analysis", JASIS 41 (1990). The space, the one of few dimensions
that holds most of a matrix of documents and words, comes from orthogonal iteration (G. Golub and C. Van Loan, "Matrix
Computations", 8.2.4): a singular value decomposition has other last bits on another machine, as has every sum of
fractions, and a file is the same bytes everywhere. Here values are scaled and rounded after each step, so that every
sum is one of integers below 2**53 in float64, which is exact in any order. Single products, quotients and square roots
are rounded alike everywhere by IEEE 754, logarithms by `decimal`.

The bounds, with 5,000 documents (70.8 squared) and 20,000 words (below 2**14.3), the last three by Cauchy-Schwarz:

- A weight is below 2**8 * _WEIGHT = 2**19; a sum of their squares over a document's words below 2**52.3, an entry's sum
  of weights times 16 bits below 2**48.3.
- The estimate in _length is squared from at most 2**19: a sum below 2**52.3.
- A row of the matrix M has length _ROW and a vector of the basis _UNIT: M.T @ y is no longer than 70.8 * _ROW * _UNIT,
  and M @ (M.T @ y) has no entry above _ROW times that, below 2**51.2. Rounding adds some hundredths.
- Products of vectors of the basis, and of _UNIT and the basis, are at most _UNIT**2 = 2**46.
"""

from __future__ import annotations

import random
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from culdesac.db.sql import statement
from culdesac.ingest.sql import statement as own_statement

Floats = NDArray[np.float64]

DIMENSIONS = 100
#: The space is made from so many entries, evenly spread over a larger file, and from so many words.
_SAMPLE = 5_000
_WORDS = 20_000
#: With 7 rounds the space holds 99.4 % of what the best one holds of the public corpus (5: 98.8 %, 6: 99.1 %).
_ROUNDS = 7
_WEIGHT = 2.0**11
_ROW = 2.0**11
_UNIT = 2.0**23
#: A vector of which no more is left without its part in the others is one of them: the rank is exhausted.
_NOTHING = _UNIT / 2**12
_INT16 = 2**15 - 1
_BATCH = 1000


class _Columns(dict[str, int]):
    """Words by column. A word that isn't there has the column after the last, which weighs nothing."""

    def __missing__(self, word: str) -> int:
        return len(self)


def add_vectors(connection: sqlite3.Connection, entries: int) -> int:
    """Fill word_vectors and entry_vectors from the tokens of so many entries; gives the number of dimensions.

    That is 100 at most, and 0, without any vector, where no two entries share a word.
    """
    words, weights, vectors = _learn(connection, entries)
    rows = zip(words, vectors, strict=True)
    connection.executemany(statement("insert_word_vectors"), ((word, _packed(row)) for word, row in rows if row.any()))
    placed = _entry_vectors(connection, entries, words, weights, vectors)
    connection.executemany(statement("insert_entry_vectors"), ((pk, _packed(row)) for pk, row in placed if row.any()))
    return int(vectors.shape[1])


def _learn(connection: sqlite3.Connection, entries: int) -> tuple[list[str], Floats, Floats]:
    """The words in their order, their weights, and their vectors: a row each, in 16 bits."""
    columns: defaultdict[str, int] = defaultdict()
    columns.default_factory = columns.__len__
    counts = _counts((text for _, text in _texts(connection, entries, _SAMPLE)), columns)
    spread = np.bincount(counts.indices, minlength=len(columns))
    shared = sorted((-held, word) for word, held in zip(columns, spread.tolist(), strict=True) if held > 1)
    words = sorted(word for _, word in shared[:_WORDS])
    chosen = np.array([columns[word] for word in words], dtype=np.intp)
    # Robertson's idf, ln(1 + (N - n + 0.5) / (n + 0.5)), as a difference of logarithms of whole numbers.
    weights = _ln(np.array([2 * counts.shape[0] + 2])) - _ln(2 * spread[chosen] + 1)
    matrix = _weighed(counts[:, chosen], weights)
    lengths = np.sqrt(matrix.power(2).sum(axis=1))
    matrix.data = np.rint(matrix.data * _ROW / np.repeat(lengths, np.diff(matrix.indptr)))
    del counts
    return words, weights, np.clip(np.rint(_space(matrix).T * (2.0**15 / _UNIT)), -_INT16, _INT16)


def _entry_vectors(
    connection: sqlite3.Connection, entries: int, words: list[str], weights: Floats, vectors: Floats
) -> Iterator[tuple[int, Floats]]:
    """Every entry's number and vector, in 16 bits: the weighed sum of its words' vectors, all of one length."""
    columns = _Columns((word, column) for column, word in enumerate(words))
    weights = np.append(weights, 0)
    vectors = np.vstack([vectors, np.zeros(vectors.shape[1])])
    cursor = _texts(connection, entries, entries)
    while batch := cursor.fetchmany(_BATCH):
        sums = _weighed(_counts((text for _, text in batch), columns), weights) @ vectors
        units = np.rint(sums * (_INT16 / np.maximum(_length(sums), 1)))
        yield from zip((pk for pk, _ in batch), units, strict=True)


def _texts(connection: sqlite3.Connection, entries: int, size: int) -> sqlite3.Cursor:
    """Number and tokens of so many entries, evenly spread; of all when there are no more."""
    return connection.execute(own_statement("tokens"), {"entries": entries, "size": size})


def _counts(texts: Iterable[str], columns: dict[str, int]) -> Any:
    """How often a text (row) says a word (column), and a column for words that `columns` doesn't have."""
    numbers, counts, ends = array("i"), array("i"), array("i", [0])
    for text in texts:
        tally = Counter(text.split())
        numbers.extend(map(columns.__getitem__, tally))
        counts.extend(tally.values())
        ends.append(len(numbers))
    data = np.array(counts, dtype=np.float64), np.array(numbers, dtype=np.int32), np.array(ends, dtype=np.int32)
    return csr_array(data, shape=(len(ends) - 1, len(columns) + 1))


def _weighed(counts: Any, weights: Floats) -> Any:
    """(1 + ln tf) * weight, scaled and rounded."""
    counts.data = np.rint((1 + _ln(counts.data)) * weights[counts.indices] * _WEIGHT)
    return counts


def _ln(numbers: NDArray[Any]) -> Floats:
    """Natural logarithms of whole numbers, rounded alike everywhere: C libraries differ in the last bit."""
    context = Context(prec=20)
    found, places = np.unique(numbers, return_inverse=True)
    return np.array([float(context.ln(Decimal(int(number)))) for number in found])[places]


def _space(matrix: Any) -> Floats:
    """An orthonormal basis of the rows' dominant space, a row for each dimension, scaled by _UNIT."""
    documents, words = matrix.shape
    if documents <= DIMENSIONS:
        return _orthonormal(np.eye(documents) @ matrix)
    size = min(DIMENSIONS, words)
    # The year of the method; any start that isn't orthogonal to the space leads there.
    start = random.Random(1990).randbytes(size * documents)
    basis = np.frombuffer(start, dtype=np.int8).reshape(size, documents).astype(np.float64)
    for _ in range(_ROUNDS):
        basis = _orthonormal(basis @ matrix @ matrix.T)
    return _orthonormal(basis @ matrix)


def _orthonormal(vectors: Floats) -> Floats:
    """The rows made orthogonal and as long as _UNIT, by Gram and Schmidt's method; dependent ones are left out.

    Taking off a vector's part in the others twice is enough: W. Kahan's rule, B. Parlett, "The Symmetric Eigenvalue
    Problem", 6.9.
    """
    basis = np.empty(vectors.shape)
    size = 0
    for vector in vectors:
        rest = _scaled(vector)
        for _ in range(2):
            found = basis[:size]
            rest = rest - np.rint(np.rint(found @ rest / _UNIT) @ found / _UNIT)
            if np.sqrt(rest @ rest) < _NOTHING:
                break
            rest = _scaled(rest)
        else:
            basis[size] = rest
            size += 1
    return basis[:size]


def _scaled(vector: Floats) -> Floats:
    return np.rint(vector * (_UNIT / np.maximum(_length(vector), 1)))


def _length(vectors: Floats) -> Floats:
    """Euclidean length of each vector along the last axis, to 5 digits at least: squares of all bits would overflow."""
    scale = 2.0**19 / np.maximum(np.abs(vectors).max(axis=-1, keepdims=True, initial=0), 1)
    return np.sqrt((np.rint(vectors * scale) ** 2).sum(axis=-1, keepdims=True)) / scale


def _packed(vector: Floats) -> bytes:
    return vector.astype("<i2").tobytes()
