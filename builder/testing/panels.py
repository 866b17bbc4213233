"""A dashboard opened the way Grafana opens it: variables resolved, every panel's and annotation's queries run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builder.errors import GpuboardsError, UsageError
from builder.promql.substitute import Style, Value, Window, substitute, unresolved
from builder.testing.client import Client, Series
from builder.testing.history import AT
from builder.testing.legend import with_legend
from builder.testing.results import DashboardResult, NotRun, PanelResult, TargetResult
from builder.testing.variables import VariableResult, resolve
from builder.testing.window import parse_duration, window


@dataclass(frozen=True)
class _Opened:
    """What all panels of one opened dashboard share."""

    client: Client
    at: float
    range_seconds: float
    scrape_interval: float
    max_data_points: int
    variables: Mapping[str, VariableResult]

    def inserted(self, scope: Mapping[str, str]) -> dict[str, Value]:
        """What each variable turns into; a repeated panel's own value instead of all the chosen ones."""
        values = {name: result.inserted for name, result in self.variables.items()}
        for name, value in scope.items():
            values[name] = value if isinstance(values[name], str) else (value,)
        return values


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
        opened = _Opened(client, at, range_seconds, scrape, max_data_points, resolved)
        panels = tuple(_run_panels(dashboard.get("panels", []), opened))
        annotations = tuple(_run_annotations(dashboard, opened))
    finally:
        client.close()
    title, uid = str(dashboard.get("title", "")), str(dashboard.get("uid", ""))
    return DashboardResult(title, uid, resolved, panels, annotations)


def _run_panels(panels: Sequence[Mapping[str, Any]], opened: _Opened) -> Iterator[PanelResult]:
    for row, children in _rows(panels):
        for row_scope in _scopes(row.get("repeat"), opened):
            for panel in children:
                for scope in _scopes(panel.get("repeat"), opened):
                    yield _run_panel(panel, str(row.get("title", "")), {**row_scope, **scope}, opened)


def _run_annotations(dashboard: Mapping[str, Any], opened: _Opened) -> Iterator[TargetResult]:
    """What marks the graphs, each under its name; Grafana asks at a step of the annotation's own."""
    for entry in dashboard.get("annotations", {}).get("list") or []:
        if "expr" in entry and _datasource_type(entry.get("datasource")) == "prometheus":
            target = {
                "refId": entry.get("name", ""),
                "expr": entry["expr"],
                "interval": entry.get("step", ""),
                "legendFormat": entry.get("titleFormat", ""),
            }
            yield _run_target(target, {}, opened.inserted({}), opened)


def _rows(
    panels: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]:
    """Rows with their panels; an expanded row owns what follows it, a collapsed one holds its own."""
    row: Mapping[str, Any] = {}
    children: list[Mapping[str, Any]] = []
    for panel in panels:
        if panel.get("type") == "row":
            yield row, children
            row, children = panel, list(panel.get("panels") or [])
        else:
            children.append(panel)
    yield row, children


def _scopes(repeat: str | None, opened: _Opened) -> Iterator[dict[str, str]]:
    if not repeat:
        yield {}
        return
    if repeat not in opened.variables:
        raise UsageError(f"a panel repeats over {repeat}, which is no variable of the dashboard")
    for value in opened.variables[repeat].value or ("",):  # no value: Grafana shows one panel all the same
        yield {repeat: value}


def _run_panel(panel: Mapping[str, Any], row: str, scope: Mapping[str, str], opened: _Opened) -> PanelResult:
    targets, not_run = [], []
    values = opened.inserted(scope)
    for target in panel.get("targets") or []:
        kind = _datasource_type(target.get("datasource") or panel.get("datasource"))
        if kind == "prometheus":
            targets.append(_run_target(target, panel, values, opened))
        else:
            style: Style = "loki" if kind == "loki" else "text"
            expr = substitute(str(target.get("expr", "")), values, style=style)
            not_run.append(NotRun(str(target.get("refId", "")), kind, expr))
    return PanelResult(
        id=int(panel.get("id", 0)),
        title=str(panel.get("title", "")),
        type=str(panel.get("type", "")),
        row=row,
        scope=scope,
        targets=tuple(targets),
        not_run=tuple(not_run),
    )


def _datasource_type(source: Any) -> str:
    """The plugin a query goes to; a name or variable alone, as old dashboards have it, means Prometheus."""
    return str(source.get("type", "prometheus")) if isinstance(source, Mapping) else "prometheus"


def _run_target(
    target: Mapping[str, Any], panel: Mapping[str, Any], values: Mapping[str, Value], opened: _Opened
) -> TargetResult:
    shown = _window(target, panel, values, opened)
    expr = substitute(str(target.get("expr", "")), values, window=shown)
    instant = bool(target.get("instant"))
    legend = substitute(str(target.get("legendFormat", "")), values, window=shown, style="text")
    result = TargetResult(
        ref_id=str(target.get("refId", "")),
        expr=expr,
        instant=instant,
        step=shown.interval,
        hidden=bool(target.get("hide")),
        unresolved=unresolved(expr),
        end=shown.end if instant else _last_step(shown),
    )
    try:
        series = _ask(opened.client, expr, instant, shown)
    except GpuboardsError as problem:
        return replace(result, error=str(problem))
    return replace(result, series=tuple(with_legend(s, legend, expr) for s in series))


def _window(
    target: Mapping[str, Any], panel: Mapping[str, Any], values: Mapping[str, Value], opened: _Opened
) -> Window:
    def seconds(written: Any) -> float:
        text = substitute(str(written or ""), values, style="text")
        return parse_duration(text) if text and not text.startswith("$") else 0.0

    end = opened.at - seconds(panel.get("timeShift"))
    return window(
        start=end - (seconds(panel.get("timeFrom")) or opened.range_seconds),
        end=end,
        max_data_points=int(panel.get("maxDataPoints") or opened.max_data_points),
        scrape_interval=opened.scrape_interval,
        panel_interval=seconds(panel.get("interval")),
        target_interval=seconds(target.get("interval")),
    )


def _ask(client: Client, expr: str, instant: bool, shown: Window) -> tuple[Series, ...]:
    if not expr.strip():
        raise UsageError("the query is empty")
    if instant:
        return client.instant(expr, shown.end)
    return client.range(expr, shown.start // shown.interval * shown.interval, _last_step(shown), shown.interval)


def _last_step(shown: Window) -> float:
    return shown.end // shown.interval * shown.interval
