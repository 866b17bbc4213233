"""A dashboard opened the way Grafana opens it: variables resolved, every panel's and annotation's queries run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builder.errors import GpuboardsError, UsageError
from builder.opening.plan import Opened, PlannedPanel, PlannedQuery
from builder.opening.server import Series
from builder.opening.variables import resolve
from builder.opening.window import parse_duration, window
from builder.testing.client import Client
from builder.testing.history import AT
from builder.testing.legend import with_legend
from builder.testing.results import DashboardResult, NotRun, PanelResult, TargetResult


def run_dashboard(
    dashboard: Mapping[str, Any],
    url: str,
    *,
    at: float = AT,
    range_seconds: float = 3600,
    variables: Mapping[str, str | Sequence[str]] | None = None,
    scrape_interval: str = "15s",
    max_data_points: int = 1000,
) -> DashboardResult:
    """Run every variable query and every Prometheus query of a dashboard on the server at ``url``.

    Annotations are among them; the legend of what they find is their title.

    The dashboard is classic JSON; its time range is the ``range_seconds`` before ``at`` (Unix time).
    ``variables`` chooses values (``"$__all"`` is All), as ``var-name=value`` in the address would.
    ``scrape_interval`` is the one set on the data source, ``max_data_points`` the width of a panel that
    does not set its own. A query that fails is an ``error`` in its result, not an exception.
    """
    scrape = parse_duration(scrape_interval)
    client = Client(url)
    try:
        whole = window(start=at - range_seconds, end=at, max_data_points=max_data_points, scrape_interval=scrape)
        resolved = resolve(dashboard, client, whole, variables or {})
        opened = Opened(dashboard, at, range_seconds, scrape, max_data_points, resolved)
        panels = tuple(_run_panel(panel, client) for panel in opened.panels())
        annotations = tuple(_run_query(q, client) for q in opened.annotations() if q.language == "prometheus")
    finally:
        client.close()
    title, uid = str(dashboard.get("title", "")), str(dashboard.get("uid", ""))
    return DashboardResult(title, uid, resolved, panels, annotations)


def _run_panel(panel: PlannedPanel, client: Client) -> PanelResult:
    if panel.error:
        failed = TargetResult("A", "", instant=False, step=0.0, hidden=False, error=panel.error)
        return PanelResult(panel.id, panel.title, panel.type, panel.row, panel.scope, (failed,), ())
    asked = [query for query in panel.queries if query.language == "prometheus"]
    return PanelResult(
        id=panel.id,
        title=panel.title,
        type=panel.type,
        row=panel.row,
        scope=panel.scope,
        targets=tuple(_run_query(query, client) for query in asked),
        not_run=tuple(NotRun(q.ref_id, q.language, q.expr) for q in panel.queries if q not in asked),
    )


def _run_query(query: PlannedQuery, client: Client) -> TargetResult:
    if query.error:  # it has no window either
        return TargetResult(query.ref_id, query.expr, query.instant, step=0.0, hidden=query.hidden, error=query.error)
    result = TargetResult(
        ref_id=query.ref_id,
        expr=query.expr,
        instant=query.instant,
        step=query.window.interval,
        hidden=query.hidden,
        unresolved=query.unresolved,
        end=query.end,
    )
    try:
        series = _ask(client, query)
    except GpuboardsError as problem:
        return replace(result, error=str(problem))
    return replace(result, series=tuple(with_legend(s, query.legend, query.expr) for s in series))


def _ask(client: Client, query: PlannedQuery) -> tuple[Series, ...]:
    if not query.expr.strip():
        raise UsageError("the query is empty")
    if query.instant:
        return client.instant(query.expr, query.end)
    return client.range(query.expr, query.start, query.end, query.window.interval)
