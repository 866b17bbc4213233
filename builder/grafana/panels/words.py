"""Panels of words: logs, text and the list of alerts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from builder.errors import DefinitionError, short
from builder.grafana.members import check_target
from builder.grafana.panels.base import ModernPanel
from builder.grafana.parameters import choice, each, flag, parameters, text, whole

_ALERT_ORDERS = {
    "alphabetical": 1,
    "alphabetical-desc": 2,
    "importance": 3,
    "oldest": 4,
    "newest": 5,
}
_ALERT_STATES = ("firing", "pending", "noData", "normal", "error")


def _name(name: object) -> None:
    if not isinstance(name, str):
        raise DefinitionError(f"{short(name)} is not a label name")


def _alert_state(state: object) -> None:
    if state not in _ALERT_STATES:
        raise DefinitionError(f"unknown alert state {short(state)}", fix=f"one of {', '.join(_ALERT_STATES)}")


@parameters
class Logs(ModernPanel):
    """Log lines, newest first."""

    kind: ClassVar[str] = "logs"
    size: ClassVar[tuple[int, int]] = (24, 10)

    show_time: bool = flag(default=True)
    show_labels: bool = flag(default=False)
    show_common_labels: bool = flag(default=False)
    wrap: bool = flag(default=True)
    prettify: bool = flag(default=False)
    details: bool = flag(default=True)
    dedup: str = choice("none", "exact", "numbers", "signature", default="none")
    sort_order: str = choice("Descending", "Ascending", default="Descending")

    def _options(self) -> dict[str, Any]:
        return {
            "dedupStrategy": self.dedup,
            "enableLogDetails": self.details,
            "prettifyLogMessage": self.prettify,
            "showCommonLabels": self.show_common_labels,
            "showLabels": self.show_labels,
            "showTime": self.show_time,
            "sortOrder": self.sort_order,
            "wrapLogMessage": self.wrap,
        }


@parameters
class Text(ModernPanel):
    """Markdown or HTML; Grafana sanitizes HTML."""

    kind: ClassVar[str] = "text"
    size: ClassVar[tuple[int, int]] = (24, 3)

    targets: Sequence[Any] = each(check_target, default=())
    content: str = text(default="", kw_only=False)
    mode: str = choice("markdown", "html", "code", default="markdown")

    def _options(self) -> dict[str, Any]:
        return {"content": self.content, "mode": self.mode}


@parameters
class AlertList(ModernPanel):
    """Alerts and their state: those of one data source (its name), or all that Grafana knows.

    ``labels`` filters instances, written like a PromQL selector: ``{alertname=~"Gpu.*"}``.
    """

    kind: ClassVar[str] = "alertlist"
    size: ClassVar[tuple[int, int]] = (8, 8)

    alert_name: str = text(default="")
    labels: str = text(default="")
    source: str = text(default="")
    max_items: int = whole(default=20, at_least=1)
    sort_order: str = choice(*_ALERT_ORDERS, default="importance")
    states: Sequence[str] = each(_alert_state, default=("firing", "pending", "noData", "error"))
    group_by: Sequence[str] = each(_name, default=())
    dashboard_alerts: bool = flag(default=False)
    view: str = choice("list", "stat", default="list")

    def _options(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "alertInstanceLabelFilter": self.labels,
            "alertName": self.alert_name,
            "dashboardAlerts": self.dashboard_alerts,
            "groupBy": list(self.group_by),
            "groupMode": "custom" if self.group_by else "default",
            "maxItems": self.max_items,
            "sortOrder": _ALERT_ORDERS[self.sort_order],
            "stateFilter": {state: state in self.states for state in _ALERT_STATES},
            "viewMode": self.view,
        }
        if self.source:
            data["datasource"] = self.source
        return data
