"""A dashboard of anybody's with what every dashboard has: a list of panels, each with an id of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from builder.errors import UsageError

Panel = Mapping[str, Any]


def normal(dashboard: Panel) -> dict[str, Any]:
    """The dashboard with nothing missing that queries and layout go by. Raises UsageError where it has no panels."""
    panels = [panel for panel in dashboard.get("panels") or () if isinstance(panel, Mapping)]
    if not panels:
        old = isinstance(dashboard.get("rows"), list)
        fix = "open and save it in a newer Grafana: before Grafana 5, panels lay in rows" if old else ""
        raise UsageError("the dashboard has no panels", where=str(dashboard.get("title") or ""), fix=fix)
    templating = dashboard.get("templating") or {}
    listed = [model for model in templating.get("list") or () if isinstance(model, Mapping) and model.get("name")]
    return {**dashboard, "panels": list(_numbered(panels, set())), "templating": {**templating, "list": listed}}


def _numbered(panels: list[Panel], taken: set[int]) -> Iterator[Panel]:
    """Answers are found by id: a panel without one, or with another's, gets the next that is free."""
    for panel in panels:
        number = panel.get("id")
        if not isinstance(number, int) or number in taken:
            number = max(taken, default=0) + 1
        taken.add(number)
        inner = [one for one in panel.get("panels") or () if isinstance(one, Mapping)]
        yield {**panel, "id": number, **({"panels": list(_numbered(inner, taken))} if inner else {})}
