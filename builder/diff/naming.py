"""What people call a place in a dashboard; a place that has no name of its own is called by its path."""

from __future__ import annotations

import re
from typing import Final

from builder.diff.model import Path

_PANEL: Final = {
    "datasource": "data source",
    "description": "description",
    "hideTimeOverride": "time override hidden",
    "interval": "minimum interval",
    "maxDataPoints": "maximum data points",
    "maxPerRow": "repeated panels in a row",
    "repeat": "repeated for",
    "repeatDirection": "direction of repetition",
    "timeFrom": "time range of its own",
    "timeShift": "time shift",
    "transformations": "transformations",
    "transparent": "transparent background",
    "type": "visualisation",
    "collapsed": "collapsed",
    "targets": "queries",
    "links": "links",
}
_BOARD: Final = {
    "graphTooltip": "shared crosshair or tooltip",
    "liveNow": "redrawn live",
    "refresh": "refresh",
    "schemaVersion": "schema version",
    "tags": "tags",
    "timezone": "time zone",
    "weekStart": "start of the week",
    "uid": "uid",
    "folder": "folder",
}
_VARIABLE: Final = {
    "allValue": "value of All",
    "current": "default",
    "datasource": "data source",
    "hide": "hidden",
    "includeAll": "offers All",
    "multi": "several at once",
    "query": "query",
    "refresh": "refreshed",
    "regex": "regular expression",
    "sort": "sorting",
}
_LINK: Final = {"includeVars": "carries variables", "keepTime": "carries the time range", "targetBlank": "new tab"}
_OF: Final = {"board": _BOARD, "panel": _PANEL, "row": _PANEL, "variable": _VARIABLE, "link": _LINK}
_FIELD: Final = {
    "color": "colour",
    "decimals": "decimals",
    "displayName": "display name",
    "links": "data links",
    "mappings": "value mappings",
    "max": "maximum",
    "min": "minimum",
    "noValue": "text for no value",
    "thresholds": "thresholds",
    "unit": "unit",
}
_QUERY: Final = {"expr": "", "legendFormat": "legend", "datasource": "data source", "interval": "minimum step"}
_TIME: Final = {"from": "start of the time range", "to": "end of the time range"}


def setting(what: str, path: Path) -> str:
    """The place in words; ``what`` is the kind of part that the path is in."""
    match path:
        case ("fieldConfig", "defaults", *rest) if rest:
            return _field(tuple(rest))
        case ("fieldConfig", "overrides"):
            return "overrides"
        case ("fieldConfig", "overrides", matcher):
            return f"override for {matcher}"
        case ("fieldConfig", "overrides", matcher, "properties"):
            return f"override for {matcher}: settings"
        case ("fieldConfig", "overrides", matcher, "properties", name, *rest):
            where = _field(tuple(name.split(".")))
            return f"override for {matcher}: {_joined(where, [] if rest[:1] == ['value'] else rest)}"
        case ("targets", ref, *rest) if what == "panel":
            name = _QUERY.get(".".join(rest), ".".join(rest))
            return f"query {ref}: {name}" if name else f"query {ref}"
        case ("options", "legend", *rest):
            return _joined("legend", rest)
        case ("options", "tooltip", *rest):
            return _joined("tooltip", rest)
        case ("time", end) if what == "board" and end in _TIME:
            return _TIME[end]
        case ("current", *rest) if what == "variable":
            return "default" if rest in ([], ["value"]) else _joined("default", rest)
        case (name, *rest) if name in _OF.get(what, {}):
            return _joined(_OF[what][name], rest)
    return ".".join(path)


def _field(path: Path) -> str:
    if path[0] == "custom" and len(path) > 1:
        return _joined(_spaced(path[1]), path[2:])
    return _joined(_FIELD.get(path[0], path[0]), path[1:])


def _joined(name: str, rest: Path | list[str]) -> str:
    return ": ".join((name, ".".join(rest))) if rest else name


def _spaced(name: str) -> str:
    """``lineWidth`` as ``line width``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f" {found[0].lower()}", name)
