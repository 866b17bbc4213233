"""A whole stock dashboard (grafanalib's Dashboard)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grafanalib import core

from builder.errors import DefinitionError
from builder.grafana.board import check_distinct, check_identity
from builder.grafana.declared import check
from builder.grafana.frame import dashboard_json
from builder.grafana.ids import numbered
from builder.grafana.layout import Row, check_places, pack
from builder.grafana.members import check_entry, check_panel, check_variable
from builder.grafana.normalise.panel import clean_panel
from builder.grafana.normalise.variable import clean_variable
from builder.grafana.plain import without_nulls
from builder.grafana.references import check_references
from builder.grafana.written import check_queries, number_variables


def clean_dashboard(dashboard: core.Dashboard, datasource: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON of a grafanalib Dashboard as Grafana 10.4 to 13 read it.

    Panels without a place are packed, rows of the old kind become rows of today, and every panel has an id.
    ``datasource`` is used where a panel names none. What a Board is refused for is refused here too: an identity that
    Grafana does not take, panels on top of each other, variables that nobody declared, PromQL that does not parse.
    """
    _check_members(dashboard)
    panels = numbered(_placed(dashboard))
    shared = 1 if dashboard.sharedCrosshair else 0
    data = dashboard_json(
        dashboard.uid or "",
        dashboard.title,
        dashboard.description,
        dashboard.tags,
        [clean_panel(panel, datasource) | {"id": number} for panel, number in panels],
        variables=[clean_variable(variable) for variable in dashboard.templating.list],
        annotations=[without_nulls(entry) for entry in dashboard.annotations.list],
        links=[without_nulls(link) for link in dashboard.links],
        time_from=dashboard.time.start,
        time_to=dashboard.time.end,
        refresh=dashboard.refresh or "",
        graph_tooltip=dashboard.graphTooltip or shared,
        timezone=dashboard.timezone,
    )
    numbers = number_variables(data["templating"]["list"])
    for panel in data["panels"]:
        check_queries(panel, numbers)
    check_references(data, {})
    data["editable"] = dashboard.editable
    picker = dashboard.timePicker
    if picker.hidden:
        data["timepicker"]["hidden"] = True
    if picker.nowDelay:
        data["timepicker"]["nowDelay"] = picker.nowDelay
    if picker.refreshIntervals != core.DEFAULT_TIME_PICKER.refreshIntervals:
        data["timepicker"]["refresh_intervals"] = list(picker.refreshIntervals)
    return data


def _check_members(dashboard: core.Dashboard) -> None:
    check_identity(dashboard.uid, dashboard.title, dashboard.rows or dashboard.panels)
    check(list(dashboard.tags), Sequence[str], "tags")
    for name in ("description", "refresh", "timezone"):
        check(getattr(dashboard, name) or "", str, name)
    for what, check_member, members in (
        ("panels", check_panel, dashboard.panels),
        ("variables", check_variable, dashboard.templating.list),
        ("annotations", check_entry, dashboard.annotations.list),
        ("links", check_entry, dashboard.links),
    ):
        for place, member in enumerate(members):
            try:
                check_member(member)
            except DefinitionError as error:
                raise error.at(f"{what}[{place}]") from None
    names = [variable.name for variable in dashboard.templating.list]
    check_distinct(names)


def _placed(dashboard: core.Dashboard) -> list[Any]:
    if dashboard.rows:
        return pack([Row(row.title or "", row.panels, row.collapse, row.repeat or "") for row in dashboard.rows])
    if all(getattr(panel, "gridPos", None) is not None for panel in _all(dashboard.panels)):
        check_places(dashboard.panels)
        return list(dashboard.panels)
    return pack(dashboard.panels)


def _all(panels: Sequence[Any]) -> list[Any]:
    return [child for panel in panels for child in (panel, *getattr(panel, "panels", ()))]
