"""Culdesac: an embedded search engine over error knowledge, in one SQLite file."""

__version__ = "0.1.0"
