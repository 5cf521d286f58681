"""The queries for people, as the ingest takes them: the two sides of the data don't know each other."""

from __future__ import annotations

from culdesac.ingest.build import ShippedQuery
from culdesac.queries.shipped import shipped


def shipped_queries() -> list[ShippedQuery]:
    """Every query of queries/*.sql."""
    return [ShippedQuery(query.name, query.title, query.sql) for query in shipped()]
