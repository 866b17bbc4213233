"""The dashboard around the panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grafanalib import core

from builder.grafana.plain import to_plain

SCHEMA_VERSION = 39
"""What Grafana 10.3 to 11.3 save. Later ones bring it up to date without changing what is shown."""


def dashboard_json(
    uid: str,
    title: str,
    description: str,
    tags: Sequence[str],
    panels_json: Sequence[dict[str, Any]],
    variables: Sequence[Any] = (),
    annotations: Sequence[Any] = (),
    links: Sequence[Any] = (),
    time_from: str = "now-6h",
    time_to: str = "now",
    refresh: str = "",
    graph_tooltip: int = 1,
    timezone: str = "browser",
) -> dict[str, Any]:
    """A classic dashboard that Grafana 10.4 to 13 load as it is; ``refresh`` is a duration or empty.

    ``graph_tooltip``: 0 each panel for itself, 1 shared crosshair, 2 shared tooltip.
    """
    data: dict[str, Any] = {
        "annotations": core.Annotations([_built_in(), *map(to_plain, annotations)]).to_json_data(),
        "editable": True,
        "fiscalYearStartMonth": 0,
        "graphTooltip": graph_tooltip,
        "links": [to_plain(link) for link in links],
        "panels": list(panels_json),
        "refresh": refresh,
        "schemaVersion": SCHEMA_VERSION,
        "tags": list(tags),
        "templating": core.Templating([to_plain(variable) for variable in variables]).to_json_data(),
        "time": core.Time(time_from, time_to).to_json_data(),
        "timepicker": {},
        "timezone": timezone,
        "title": title,
        "uid": uid,
        "weekStart": "",
    }
    if description:
        data["description"] = description
    return data


def _built_in() -> dict[str, Any]:
    """The entry that Grafana adds on the first save in the browser; with it, that save changes nothing."""
    return {
        "builtIn": 1,
        "datasource": {"type": "grafana", "uid": "-- Grafana --"},
        "enable": True,
        "hide": True,
        "iconColor": "rgba(0, 211, 255, 1)",
        "name": "Annotations & Alerts",
        "type": "dashboard",
    }
