"""Members of the JSON that a server sent, whatever shape it has: what is not there, or is something else, is empty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote


def mapping(body: Any, key: str) -> Mapping[str, Any]:
    """The object in this member."""
    found = body.get(key) if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}


def objects(body: Any, key: str) -> Iterator[Mapping[str, Any]]:
    """The objects of the list in this member."""
    found = body.get(key) if isinstance(body, dict) else None
    return (entry for entry in found if isinstance(entry, dict)) if isinstance(found, list) else iter(())


def text(body: Any, key: str) -> str:
    """The text in this member."""
    found = body.get(key) if isinstance(body, dict) else None
    return found if isinstance(found, str) else ""


def number(body: Any, key: str) -> int:
    """The whole number in this member; 0 for none."""
    found = body.get(key) if isinstance(body, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def part(uid: str) -> str:
    """A uid as one part of a path: a server may know boards whose uid has a slash, or is two dots."""
    return quote(uid, safe="", errors="surrogatepass").replace(".", "%2E")
