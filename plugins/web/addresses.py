"""Addresses as they are here, behind whatever prefix (`base_url`) a site has."""

from __future__ import annotations


def local(base: str, path: str) -> str:
    """A request's path without the prefix, which a proxy may have taken off already; one slash before it.

    With two, a link to it would lead to a host of that name.
    """
    return "/" + (path[len(base) :] if path.startswith(base) else path).lstrip("/")
