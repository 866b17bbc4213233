"""The panels of a dashboard in one list, and which panel of another dashboard each of them became."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Placed:
    """A panel or row. ``row`` is the number of its row in the list, None above all rows.

    ``nested`` says that it stands inside its row, as panels of a collapsed row do.
    """

    data: Mapping[str, Any]
    row: int | None = None
    nested: bool = False

    @property
    def is_row(self) -> bool:
        """True for a heading."""
        return self.data.get("type") == "row"

    @property
    def grid(self) -> Mapping[str, Any]:
        """Its place on the grid, as far as it has one."""
        found = self.data.get("gridPos")
        return found if isinstance(found, dict) else {}


def panels_of(dashboard: Mapping[str, Any]) -> list[Placed]:
    """Panels and rows in reading order. The rows of dashboards before schema 16 count like those of today."""
    found: list[Placed] = []
    row: int | None = None
    for data in _in_order(_objects(dashboard.get("panels"))):
        is_row = data.get("type") == "row"
        found.append(Placed(data, None if is_row else row))
        if is_row:
            row = len(found) - 1
            found += [Placed(inner, row, nested=True) for inner in _in_order(_objects(data.get("panels")))]
    for data in _objects(dashboard.get("rows")):
        found.append(Placed({"type": "row", **data}))
        row = len(found) - 1
        found += [Placed(inner, row, nested=True) for inner in _objects(data.get("panels"))]
    return found


def oddities(dashboard: Mapping[str, Any]) -> list[Any]:
    """What stands where panels are expected and is none."""
    odd: list[Any] = []
    for holder in (dashboard.get("panels"), dashboard.get("rows")):
        odd += [each for each in holder if not isinstance(each, dict)] if isinstance(holder, list) else [holder]
    for panel in (*_objects(dashboard.get("panels")), *_objects(dashboard.get("rows"))):
        inner = panel.get("panels")
        if panel.get("type", "row") != "row":
            odd += [] if inner is None else [inner]
        elif isinstance(inner, list):
            odd += [each for each in inner if not isinstance(each, dict)]
        else:
            odd.append(inner)
    return [each for each in odd if each not in (None, [])]


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _in_order(panels: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """As Grafana orders them when it loads them: from top to bottom, then from left to right."""
    places = [_place(panel) for panel in panels]
    if any(place is None for place in places):
        return panels
    return [panel for _, panel in sorted(zip(places, panels, strict=True), key=lambda pair: pair[0])]  # type: ignore[arg-type,return-value]


def _place(panel: Mapping[str, Any]) -> tuple[float, float] | None:
    grid = panel.get("gridPos")
    if not isinstance(grid, dict):
        return None
    x, y = grid.get("x", 0), grid.get("y", 0)
    return (y, x) if isinstance(x, int | float) and isinstance(y, int | float) else None


# who is who --------------------------------------------------------------------------------------

Key = Callable[[Mapping[str, Any]], str | None]


def matched(before: Sequence[Placed], after: Sequence[Placed]) -> dict[int, int]:
    """The number in ``after`` of each panel in ``before`` that is still there.

    An id alone is trusted last: tools that count panels give all ids away anew when one is put in front. So first come
    panels that agree in id and in title or queries, then those with one title and type, then those with one id.
    """
    pairs: dict[int, int] = {}
    left, right = list(range(len(before))), list(range(len(after)))
    for key in _KEYS:
        if not left or not right:
            break
        waiting: dict[str, list[int]] = {}
        for number in right:
            name = key(after[number].data)
            if name is not None:
                waiting.setdefault(name, []).append(number)
        for number in left:
            candidates = waiting.get(key(before[number].data) or "")
            if candidates:
                pairs[number] = candidates.pop(0)
        taken = set(pairs.values())
        left, right = [n for n in left if n not in pairs], [n for n in right if n not in taken]
    return pairs


def _key(*names: str) -> Key:
    def key(panel: Mapping[str, Any]) -> str | None:
        values = [panel.get(name) for name in names]
        return None if any(value in (None, "", []) for value in values) else json.dumps(values, sort_keys=True)

    return key


def _content(panel: Mapping[str, Any]) -> str | None:
    """What it shows, for panels that have neither id nor title."""
    content = {key: value for key, value in panel.items() if key not in ("id", "title", "gridPos", "panels")}
    return json.dumps(content, sort_keys=True) if len(content) > 1 else None


_KEYS: tuple[Key, ...] = (
    _key("id", "title", "type", "targets"),
    _key("id", "title", "type"),
    _key("id", "type", "targets"),
    _key("title", "type", "targets"),
    _key("title", "type"),
    _key("id", "type"),
    _key("id"),
    _content,
    _key("title"),
    _key("targets"),
    lambda panel: json.dumps(panel, sort_keys=True),
)


def standing(pairs: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """The pairs in the order of the new dashboard."""
    yield from sorted(pairs.items(), key=lambda pair: pair[1])
