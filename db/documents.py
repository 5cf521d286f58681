"""Documents to rows and back: `flatten` and `restore` are each other's inverse, for both dialects.

Every key that the dialect knows goes to its column; every other one, at any depth, to `extra` by JSON Pointer
(RFC 6901); what the tables can't say (null or absent, an empty list or none) to `shape`. A number that SQLite can't
hold exactly goes to `extra` too. No copy of the document is kept.
"""

from __future__ import annotations

from culdesac.db.document_reader import dialect_of, flatten
from culdesac.db.document_writer import restore
from culdesac.db.pointers import BadDocument

__all__ = ["BadDocument", "dialect_of", "flatten", "restore"]
