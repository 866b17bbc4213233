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
    """The panels with an id each, rows and what they fold away included; see ``numbered``."""
    return [_with_id(panel, number) for panel, number in numbered(panels)]


def numbered(panels: Sequence[Any]) -> list[tuple[Any, int]]:
    """The panels, each beside its id. Rows that fold panels away are copies, in which those have their ids.

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

    def id_of(row: str, panel: Any) -> int:
        number: int | None = getattr(panel, "id", None)
        if number:
            return number
        title = _title(panel)
        identity = f"{row}\0{title}\0{getattr(panel, 'kind', type(panel).__name__)}"
        again = seen[identity] = seen.get(identity, 0) + 1
        number = _free_id(f"{identity}\0{again}", taken)
        taken[number] = title
        return number

    row = ""
    found: list[tuple[Any, int]] = []
    for panel in panels:
        if not hasattr(panel, "panels"):
            found.append((panel, id_of(row, panel)))
            continue
        row, number = _title(panel), id_of("", panel)
        children = [_with_id(child, id_of(row, child)) for child in panel.panels]
        found.append((copied(panel, panels=children) if children else panel, number))
    return found


def _with_id(panel: Any, number: int) -> Any:
    return panel if getattr(panel, "id", None) == number else copied(panel, id=number)


def _title(panel: Any) -> str:
    title = getattr(panel, "title", "") or ""
    if not isinstance(title, str):
        raise DefinitionError(f"the title {short(title)} is not a text", fix="write it in quotes")
    return title


def _free_id(identity: str, taken: dict[int, str]) -> int:
    for attempt in range(LIMIT):
        digest = blake2b(f"{identity}\0{attempt}".encode(errors="surrogatepass"), digest_size=8).digest()
        candidate = int.from_bytes(digest, "big") % (LIMIT - 1) + 1
        if candidate not in taken:
            return candidate
    raise DefinitionError(f"no id left for {short(identity)}")
