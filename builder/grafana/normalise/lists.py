"""The lists of alerts, of dashboards and of news."""

from __future__ import annotations

from typing import Any

_STATES = {
    "alerting": "firing",
    "pending": "pending",
    "no_data": "noData",
    "execution_error": "error",
    "ok": "normal",
}


def convert_alert_list(data: dict[str, Any]) -> None:
    """Settings of the alert list before Grafana 8 as options; it has no migration of its own."""
    if "limit" not in data:
        return
    wanted = {_STATES[state] for state in data.get("stateFilter") or () if state in _STATES}
    options = data.get("options") or {}
    data["options"] = {
        "alertName": options.get("alertName") or data.get("nameFilter") or "",
        "dashboardAlerts": bool(data.get("onlyAlertsOnDashboard")),
        "groupBy": [],
        "groupMode": "default",
        "maxItems": data["limit"],
        "sortOrder": data.get("sortOrder", 1),
        "stateFilter": {state: state in wanted or not wanted for state in _STATES.values()},
        "viewMode": "list",
    }


def convert_dashboard_list(data: dict[str, Any]) -> None:
    """Settings of the dashboard list before Grafana 7 as options."""
    if "headings" not in data:
        return
    data["options"] = {
        "maxItems": data.get("limit", 10),
        "query": data.get("query", ""),
        "showHeadings": bool(data.get("headings")),
        "showRecentlyViewed": bool(data.get("recent")),
        "showSearch": bool(data.get("search")),
        "showStarred": bool(data.get("starred")),
        "tags": list(data.get("tags") or ()),
    }


def convert_news(data: dict[str, Any]) -> None:
    """News are fetched by the browser alone since Grafana 8."""
    (data.get("options") or {}).pop("useProxy", None)
