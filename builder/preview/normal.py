"""A dashboard of anybody's with what every dashboard has: a list of panels, each with an id of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from builder.errors import UsageError

Panel = Mapping[str, Any]

_MAPPINGS = ("options", "fieldConfig", "gridPos")
_LISTS = ("targets", "transformations")
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
"""What JSON can write and neither UTF-8 nor XML can hold."""


def normal(dashboard: Panel) -> dict[str, Any]:
    """The dashboard with nothing missing that queries and layout go by. Raises UsageError where it has no panels."""
    dashboard = _legible(dashboard)
    panels = _listed(dashboard.get("panels"))
    if not panels:
        old = isinstance(dashboard.get("rows"), list)
        fix = "open and save it in a newer Grafana: before Grafana 5, panels lay in rows" if old else ""
        raise UsageError("the dashboard has no panels", where=str(dashboard.get("title") or ""), fix=fix)
    templating = _mapped(dashboard.get("templating"))
    variables = [model for model in _listed(templating.get("list")) if isinstance(model.get("name"), str)]
    found = {**dashboard, "panels": list(_numbered(panels, set())), "templating": {**templating, "list": variables}}
    return found | ({"links": _listed(dashboard["links"])} if "links" in dashboard else {})


def _numbered(panels: list[Panel], taken: set[int]) -> Iterator[Panel]:
    """Answers are found by id: a panel without one, or with another's, gets the next that is free."""
    for panel in panels:
        number = panel.get("id")
        if not isinstance(number, int) or number in taken:
            number = max(taken, default=0) + 1
        taken.add(number)
        found = {**panel, "id": number}
        found |= {name: _mapped(panel[name]) for name in _MAPPINGS if name in panel}
        found |= {name: _listed(panel[name]) for name in _LISTS if name in panel}
        if inner := _listed(panel.get("panels")):
            found["panels"] = list(_numbered(inner, taken))
        yield found


def _legible(value: Any) -> Any:
    """The value with a replacement character for each that cannot be shown anywhere."""
    if isinstance(value, Mapping):
        return {_legible(name): _legible(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_legible(inner) for inner in value]
    return _NO_TEXT.sub("\ufffd", value) if isinstance(value, str) else value


def _listed(value: object) -> list[Panel]:
    """The mappings in a list; nothing where it is no list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _mapped(value: object) -> Panel:
    return value if isinstance(value, Mapping) else {}
