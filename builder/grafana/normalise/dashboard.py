"""A whole stock dashboard (grafanalib's Dashboard)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grafanalib import core

from builder.grafana.frame import dashboard_json
from builder.grafana.ids import assign_ids
from builder.grafana.layout import Row, pack
from builder.grafana.normalise.panel import clean_panel
from builder.grafana.normalise.variable import clean_variable
from builder.grafana.plain import without_nulls


def clean_dashboard(dashboard: core.Dashboard, datasource: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON of a grafanalib Dashboard as Grafana 10.4 to 13 read it.

    Panels without a place are packed, rows of the old kind become rows of today, and every panel has an id.
    ``datasource`` is used where a panel names none.
    """
    panels = assign_ids(_placed(dashboard))
    shared = 1 if dashboard.sharedCrosshair else 0
    data = dashboard_json(
        dashboard.uid or "",
        dashboard.title,
        dashboard.description,
        dashboard.tags,
        [clean_panel(panel, datasource) for panel in panels],
        variables=[clean_variable(variable) for variable in dashboard.templating.list],
        annotations=[without_nulls(entry) for entry in dashboard.annotations.list],
        links=[without_nulls(link) for link in dashboard.links],
        time_from=dashboard.time.start,
        time_to=dashboard.time.end,
        refresh=dashboard.refresh or "",
        graph_tooltip=dashboard.graphTooltip or shared,
        timezone=dashboard.timezone,
    )
    data["editable"] = dashboard.editable
    picker = dashboard.timePicker
    if picker.hidden:
        data["timepicker"]["hidden"] = True
    if picker.nowDelay:
        data["timepicker"]["nowDelay"] = picker.nowDelay
    if picker.refreshIntervals != core.DEFAULT_TIME_PICKER.refreshIntervals:
        data["timepicker"]["refresh_intervals"] = list(picker.refreshIntervals)
    if not data["uid"]:
        del data["uid"]
    return data


def _placed(dashboard: core.Dashboard) -> list[Any]:
    if dashboard.rows:
        return pack([Row(row.title or "", row.panels, row.collapse, row.repeat or "") for row in dashboard.rows])
    if all(panel.gridPos is not None for panel in _all(dashboard.panels)):
        return list(dashboard.panels)
    return pack(dashboard.panels)


def _all(panels: Sequence[Any]) -> list[Any]:
    return [child for panel in panels for child in (panel, *getattr(panel, "panels", ()))]
