"""Panel ids that stay: they follow from what a panel is, not from where it stands.

Links to a panel and its alert history use the id, so a panel put in front must not renumber the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from builder.errors import DefinitionError
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
        if panel.id:
            if panel.id in taken:
                raise DefinitionError(
                    f"id {panel.id} is also the id of {taken[panel.id]!r}",
                    where=panel.title,
                    fix="leave the id out",
                )
            taken[panel.id] = panel.title
    seen: Counter[str] = Counter()

    def with_id(row: str, panel: Any) -> Any:
        if panel.id:
            return panel
        identity = "\0".join((row, panel.title or "", getattr(panel, "kind", type(panel).__name__)))
        seen[identity] += 1
        number = _free_id(f"{identity}\0{seen[identity]}", taken)
        taken[number] = panel.title
        return copied(panel, id=number)

    return [
        _with_children(with_id("", panel), with_id) if hasattr(panel, "panels") else with_id(row, panel)
        for row, panel in _top_level(panels)
    ]


def _top_level(panels: Sequence[Any]) -> list[tuple[str, Any]]:
    row = ""
    found: list[tuple[str, Any]] = []
    for panel in panels:
        found.append((row, panel))
        if hasattr(panel, "panels"):
            row = panel.title
    return found


def _with_children(row: Any, with_id: Any) -> Any:
    if not row.panels:
        return row
    return copied(row, panels=[with_id(row.title, panel) for panel in row.panels])


def _free_id(identity: str, taken: dict[int, str]) -> int:
    for attempt in range(LIMIT):
        digest = blake2b(f"{identity}\0{attempt}".encode(), digest_size=8).digest()
        candidate = int.from_bytes(digest, "big") % (LIMIT - 1) + 1
        if candidate not in taken:
            return candidate
    raise DefinitionError(f"no id left for {identity!r}")
