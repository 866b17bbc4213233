"""A comparison taken at its word: what it says, done to the old dashboard, has to give the new one.

Written without the comparison's own tables, so that what they wrongly pass over comes out.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any

from builder.diff import ABSENT, BoardDiff, Change, Kind, Part, Status

SERVERS = ("id", "pluginVersion", "version", "iteration", "__requires", "gnetId")
EMPTY = (None, False, "", 0, [], {})
"""What is as good as absent wherever a default is not one of these; those are named below."""
DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "thresholds": ({"mode": "absolute", "steps": [{"color": "green"}, {"color": "red", "value": 80}]},),
    "lineWidth": (1,),
    "fillOpacity": (0,),
    "drawStyle": ("line",),
    "lineInterpolation": ("linear",),
    "gradientMode": ("none",),
    "showPoints": ("auto",),
    "pointSize": (5,),
    "axisPlacement": ("auto",),
    "axisColorMode": ("text",),
    "barWidthFactor": (0.6,),
    "scaleDistribution": ({"type": "linear"},),
    "thresholdsStyle": ({"mode": "off"},),
    "stacking": ({"group": "A", "mode": "none"},),
    "hideFrom": ({"legend": False, "tooltip": False, "viz": False},),
    "mode": ("none", "off", "single"),
    "group": ("A",),
    "type": ("linear", "link"),
    "sort": ("none", 0),
    "placement": ("bottom",),
    "displayMode": ("list", "gradient"),
    "showLegend": (True,),
    "tooltip": ({"mode": "single", "sort": "none"},),
    "orientation": ("auto",),
    "percentChangeColorMode": ("standard",),
    "justifyMode": ("auto",),
    "textMode": ("auto",),
    "colorMode": ("value",),
    "graphMode": ("area",),
    "wideLayout": (True,),
    "showThresholdMarkers": (True,),
    "minVizHeight": (75, 16),
    "minVizWidth": (75, 8),
    "maxVizHeight": (300,),
    "namePlacement": ("auto",),
    "sizing": ("auto",),
    "showUnfilled": (True,),
    "valueMode": ("color",),
    "showHeader": (True,),
    "cellHeight": ("sm",),
    "intervalFactor": (1,),
    "format": ("time_series",),
    "range": (True,),
    "editable": (True,),
    "enable": (True,),
    "style": ("dark",),
    "timezone": ("browser",),
    "repeatDirection": ("h",),
    "calcs": (["lastNotNull"],),
}
"""Grafana's own defaults, as its schemas give them, once more."""


def untold(diff: BoardDiff, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What is different in the dashboards and is not accounted for by the comparison."""
    found = [problem for part in diff.parts if part.status is Status.CHANGED for problem in _part(part)]
    return [*found, *_rest(diff, before, after)]


def _part(part: Part) -> Iterator[str]:
    if part.what == "board":
        return  # its panels and lists are parts of their own; see _rest
    patched, wanted = _tidy(part.before), _tidy(part.after)
    if part.what == "variable":
        patched, wanted = _variable(patched), _variable(wanted)
    for change in part.changes:
        if change.path != ("row",):
            _apply(patched, change)
    for side in (patched, wanted):
        side.pop("panels", None)
    yield from (f"{part.what} {part.name}: {line}" for line in _unlike(patched, wanted))


def _variable(data: dict[str, Any]) -> dict[str, Any]:
    """Without what Grafana derives: values found, the query as text, what a chosen value is shown as."""
    found = {key: value for key, value in data.items() if key not in ("options", "definition")}
    if isinstance(found.get("query"), dict):
        found["query"] = found["query"].get("query")
    value = found.get("current", {}).get("value")
    found["current"] = {"value": "$__all" if value == ["$__all"] else value} if value else {}
    return found


def _rest(diff: BoardDiff, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Panels that are said to have stayed as they were."""
    told = [[id(part.before) for part in diff.parts], [id(part.after) for part in diff.parts]]
    sides: list[dict[str, list[Any]]] = [{}, {}]
    for side, board, known in zip(sides, (before, after), told, strict=True):
        for panel in _panels(board):
            if id(panel) not in known:
                side.setdefault(f"{panel.get('title')} {panel.get('type')}", []).append(_shallow(panel))
    for name in sides[0].keys() | sides[1].keys():
        left = list(sides[1].get(name, []))
        for panel in sides[0].get(name, []):
            twin = next((other for other in left if not list(_unlike(panel, other))), None)
            if twin is None:
                yield f"not as it was: {name}"
            else:
                left.remove(twin)
        yield from (f"came from nowhere: {name}" for _ in left)


def _panels(board: Mapping[str, Any]) -> Iterator[Any]:
    for panel in [*board.get("panels", []), *board.get("rows", [])]:
        yield panel
        yield from panel.get("panels") or []


def _shallow(panel: Mapping[str, Any]) -> Any:
    return _tidy({key: value for key, value in panel.items() if key != "panels"})


def _tidy(value: Any) -> Any:
    """Without nulls and what servers fill in; the id of a panel is a number, that of a matcher or property a word."""
    if isinstance(value, dict):
        return {
            key: _tidy(member)
            for key, member in value.items()
            if member is not None and (key not in SERVERS or (key == "id" and isinstance(member, str)))
        }
    return [_tidy(each) for each in value] if isinstance(value, list) else copy.deepcopy(value)


# doing what is said ------------------------------------------------------------------------------


def _apply(node: Any, change: Change) -> None:
    path = change.path
    for step in path[:-1]:
        node = node.setdefault(step, {}) if isinstance(node, dict) else node[_index(node, step)]
    last = path[-1]
    if change.kind is Kind.ORDER:
        elements = node[last]
        node[last] = sorted(elements, key=lambda each: _place(change.after, each))
    elif isinstance(node, list):
        _set_element(node, last, change)
    elif change.after is ABSENT:
        node.pop(last, None)
    elif change.kind in (Kind.MOVED, Kind.SHIFTED, Kind.RESIZED):
        node[last] = {**node.get(last, {}), **_tidy(change.after)}
    else:
        node[last] = _tidy(change.after)


def _set_element(elements: list[Any], name: str, change: Change) -> None:
    if change.before is ABSENT:
        at = _index(elements, change.ahead_of) if change.ahead_of else len(elements)
        elements.insert(at, _tidy(change.after))
    elif change.after is ABSENT:
        del elements[_index(elements, name)]
    else:
        elements[_index(elements, name)] = _tidy(change.after)


def _place(names: list[str], element: Any) -> int:
    return next((number for number, name in enumerate(names) if name in _names(element)), len(names))


def _index(elements: list[Any], name: str) -> int:
    for number, element in enumerate(elements):
        if name in _names(element):
            return number
    return int(name)


def _names(element: Any) -> set[str]:
    if not isinstance(element, dict):
        return {str(element)}
    names = {str(element[key]) for key in ("refId", "title", "name", "url", "id") if element.get(key)}
    matcher = element.get("matcher")
    if isinstance(matcher, dict):
        options = matcher.get("options", "")
        names.add(f"{matcher.get('id')} {options if isinstance(options, str) else json.dumps(options, sort_keys=True)}")
    return names


def _unlike(one: Any, two: Any, where: str = "") -> Iterator[str]:
    if isinstance(one, dict) and isinstance(two, dict):
        for key in one.keys() | two.keys():
            if key in one and key in two:
                yield from _unlike(one[key], two[key], f"{where}.{key}")
            elif not _is_default(key, one.get(key, two.get(key))):
                yield f"{where}.{key}: {one.get(key, ABSENT)!r} is not {two.get(key, ABSENT)!r}"
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for number, (left, right) in enumerate(zip(one, two, strict=True)):
            yield from _unlike(left, right, f"{where}[{number}]")
    elif one != two:
        yield f"{where}: {one!r} is not {two!r}"


def _is_default(key: str, value: Any) -> bool:
    if value in EMPTY or value in DEFAULTS.get(key, ()):
        return True
    return isinstance(value, dict) and all(_is_default(name, member) for name, member in value.items())
