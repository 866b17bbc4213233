"""Panel ids that stay: they follow from what a panel is, not from where it stands.

Links to a panel and its alert history use the id, so a panel put in front must not renumber the others.
"""

from __future__ import annotations

from _blake2 import blake2b  # the same as hashlib's, which loads OpenSSL: 3.6 MB for nothing
from collections.abc import Sequence
from typing import Any

from builder.errors import DefinitionError, short
from builder.grafana.layout import walk
from builder.grafana.panels.base import copied

LIMIT = 1_000_000
"""Ids are below this: six digits in a URL, and a collision in fewer than one board of a thousand."""


def assign_ids(panels: Sequence[Any]) -> list[Any]:
    """The panels with an id each, rows and what they fold away included.

    The id follows from the titles of row and panel and from its kind; an id that the author set stays. Equal
    panels are told apart by their order.
    """
    taken: dict[int, str] = {}
    for _, panel in walk(panels):
        number = getattr(panel, "id", None)
        if number:
            if not isinstance(number, int):
                raise DefinitionError(f"{short(number)} is not an id", where=_title(panel), fix="leave the id out")
            if number in taken:
                raise DefinitionError(
                    f"id {number} is also the id of {short(taken[number])}",
                    where=_title(panel),
                    fix="leave the id out",
                )
            taken[number] = _title(panel)
    seen: dict[str, int] = {}

    def with_id(row: str, panel: Any) -> Any:
        if getattr(panel, "id", None):
            return panel
        identity = "\0".join((row, _title(panel), getattr(panel, "kind", type(panel).__name__)))
        seen[identity] = seen.get(identity, 0) + 1
        number = _free_id(f"{identity}\0{seen[identity]}", taken)
        taken[number] = _title(panel)
        return copied(panel, id=number)

    return [
        _with_children(with_id("", panel), with_id) if hasattr(panel, "panels") else with_id(row, panel)
        for row, panel in _top_level(panels)
    ]


def _title(panel: Any) -> str:
    title = getattr(panel, "title", "") or ""
    if not isinstance(title, str):
        raise DefinitionError(f"the title {short(title)} is not a text", fix="write it in quotes")
    return title


def _top_level(panels: Sequence[Any]) -> list[tuple[str, Any]]:
    row = ""
    found: list[tuple[str, Any]] = []
    for panel in panels:
        found.append((row, panel))
        if hasattr(panel, "panels"):
            row = _title(panel)
    return found


def _with_children(row: Any, with_id: Any) -> Any:
    if not row.panels:
        return row
    return copied(row, panels=[with_id(_title(row), panel) for panel in row.panels])


def _free_id(identity: str, taken: dict[int, str]) -> int:
    for attempt in range(LIMIT):
        digest = blake2b(f"{identity}\0{attempt}".encode(errors="surrogatepass"), digest_size=8).digest()
        candidate = int.from_bytes(digest, "big") % (LIMIT - 1) + 1
        if candidate not in taken:
            return candidate
    raise DefinitionError(f"no id left for {short(identity)}")
