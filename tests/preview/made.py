"""A dashboard with a panel of every kind, and answers as a Prometheus would have given them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from builder.opening.variables import VariableResult
from builder.preview import Board, board_of
from builder.testing import DashboardResult, NotRun, PanelResult, Series, TargetResult

BEGIN, END, STEP = 1767225600.0, 1767229200.0, 60.0
TIMES = [BEGIN + n * STEP for n in range(61)]
HOSTILE = "<script>alert(1)</script> **bold** $x_1$ [link](javascript:alert(2)) \"quoted\" 'single' & <img src=x>"


def wave(low: float, high: float, phase: float = 0.0) -> list[tuple[float, float]]:
    """A sine between two values."""
    return [(t, (low + high) / 2 + (high - low) / 2 * math.sin(n / 9 + phase)) for n, t in enumerate(TIMES)]


def series(name: str, points: Sequence[tuple[float, float]], **labels: str) -> Series:
    """A series with its legend."""
    return Series(labels or {"gpu": name}, tuple(points), name)


def target(*found: Series, ref_id: str = "A", instant: bool = False, error: str = "") -> TargetResult:
    """The answer to a query."""
    return TargetResult(ref_id, "up", instant, STEP, hidden=False, series=tuple(found), error=error, end=END)


def panel(
    kind: str, title: str, x: int, y: int, w: int = 12, h: int = 8, *, defaults: Any = None, **more: Any
) -> dict[str, Any]:
    """A panel's JSON; its id follows from its place."""
    overrides = more.pop("overrides", [])
    return {
        "type": kind,
        "title": title,
        "id": y * 24 + x + 1,
        "gridPos": {"x": x, "y": y, "w": w, "h": h},
        "fieldConfig": {"defaults": defaults or {}, "overrides": overrides},
        "targets": [{"refId": "A", "expr": "up"}],
        **more,
    }


def parts(
    panels: Sequence[Mapping[str, Any]],
    answers: Mapping[str, Sequence[TargetResult]],
    *,
    unasked: Mapping[str, Sequence[NotRun]] | None = None,
    variables: Mapping[str, Sequence[str]] | None = None,
    **more: Any,
) -> tuple[dict[str, Any], DashboardResult]:
    """A dashboard of these panels; ``answers`` by title, and the same for every copy of a repeated panel."""
    chosen = variables or {}
    dashboard = {
        "title": "Made",
        "uid": "made",
        "panels": panels,
        "templating": {"list": [{"name": name, "type": "custom"} for name in chosen]},
        **more,
    }
    results = [
        PanelResult(
            one["id"],
            one["title"],
            one["type"],
            "",
            scope,
            tuple(answers.get(one["title"], ())),
            tuple((unasked or {}).get(one["title"], ())),
        )
        for one in panels
        for scope in _scopes(one, chosen)
    ]
    found = {
        name: VariableResult(name, "custom", "", tuple(values), tuple(values), "", tuple(values))
        for name, values in chosen.items()
    }
    return dashboard, DashboardResult("Made", "made", found, tuple(results))


def board(*given: Any, **more: Any) -> Board:
    """The same, opened."""
    return board_of(*parts(*given, **more), begin=BEGIN, end=END)


def _scopes(one: Mapping[str, Any], chosen: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    repeat = one.get("repeat")
    return [{repeat: value} for value in chosen[repeat]] if repeat else [{}]


_LIMITS = {
    "mode": "absolute",
    "steps": [
        {"color": "semi-dark-blue", "value": None},
        {"color": "yellow", "value": 80},
        {"color": "dark-red", "value": 90},
    ],
}
_STATES = [
    {"type": "value", "options": {"0": {"text": "no", "color": "#808080"}, "1": {"text": "yes", "color": "dark-red"}}}
]


def every_kind(title: str = "GPU") -> Board:
    """One panel of each kind, with every feature that our boards use; ``title`` is in all names."""
    return board_of(*every_kind_parts(title), begin=BEGIN, end=END)


def every_kind_parts(title: str = "GPU") -> tuple[dict[str, Any], DashboardResult]:
    """The dashboard with one panel of each kind, and its answers."""
    states = [(t, float(n // 20 % 2)) for n, t in enumerate(TIMES)]
    cells = {"cellOptions": {"type": "gauge"}, "width": 300}
    panels = [
        {"type": "row", "title": f"{title} row", "id": 1000, "gridPos": {"x": 0, "y": 0, "w": 24, "h": 1}},
        panel(
            "timeseries",
            f"{title} graph",
            0,
            1,
            defaults={"unit": "bytes", "custom": {"thresholdsStyle": {"mode": "dashed"}}, "thresholds": _LIMITS},
            overrides=[
                {
                    "matcher": {"id": "byName", "options": f"{title} right"},
                    "properties": [
                        {"id": "unit", "value": "celsius"},
                        {"id": "custom.axisPlacement", "value": "right"},
                        {"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [10, 10]}},
                    ],
                },
                {
                    "matcher": {"id": "byName", "options": f"{title} used"},
                    "properties": [{"id": "custom.fillBelowTo", "value": f"{title} in use"}],
                },
            ],
            options={"legend": {"displayMode": "table", "placement": "right", "calcs": ["max", "lastNotNull"]}},
            description=f"{title} described",
        ),
        panel("stat", f"{title} stat", 12, 1, 6, 4, defaults={"unit": "celsius", "thresholds": _LIMITS}),
        panel("gauge", f"{title} gauge", 18, 1, 6, 4, defaults={"unit": "percentunit", "thresholds": _LIMITS}),
        panel("stat", f"{title} filled", 12, 5, 6, 4, options={"colorMode": "background", "graphMode": "area"}),
        panel("bargauge", f"{title} upright", 18, 5, 6, 4, options={"orientation": "vertical"}),
        panel("bargauge", f"{title} bars", 0, 9, 8, 6, defaults={"unit": "percent", "max": 100, "min": 0}),
        panel(
            "table",
            f"{title} table",
            8,
            9,
            16,
            6,
            overrides=[
                {
                    "matcher": {"id": "byName", "options": "Value"},
                    "properties": [{"id": "custom." + k, "value": v} for k, v in cells.items()],
                }
            ],
        ),
        panel("heatmap", f"{title} heatmap", 0, 15, options={"color": {"scheme": "Blues"}}),
        panel("histogram", f"{title} histogram", 12, 15),
        panel("state-timeline", f"{title} timeline", 0, 23, 12, 5, defaults={"mappings": _STATES}),
        panel("status-history", f"{title} history", 12, 23, 12, 5, defaults={"mappings": _STATES}),
        panel(
            "text",
            f"{title} text",
            0,
            28,
            8,
            4,
            targets=[],
            options={"mode": "markdown", "content": f"# Text\n{title}"},
        ),
        panel("logs", f"{title} logs", 8, 28, 8, 4),
        panel("timeseries", f"{title} failed", 16, 28, 4, 4),
        panel("timeseries", f"{title} silent", 20, 28, 4, 4, defaults={"noValue": f"{title} not exported"}),
    ]
    table = [series("", [(END, 0.2 + n / 10)], node=f"{title} node-{n}") for n in range(3)]
    answers = {
        f"{title} graph": [
            target(
                series(f"{title} used", wave(5e9, 8e9)),
                series(f"{title} in use", wave(1e9, 4e9)),
                series(f"{title} right", wave(40, 95)),
            )
        ],
        f"{title} stat": [target(series(f"{title} one", [(END, 93.0)]), instant=True)],
        f"{title} filled": [target(series(f"{title} one", wave(1, 5)), series(f"{title} two", wave(2, 7)))],
        f"{title} gauge": [target(series(f"{title} one", [(END, 0.42)]), instant=True)],
        f"{title} upright": [target(*(series(f"{title} {n}", [(END, n + 1.0)]) for n in range(3)), instant=True)],
        f"{title} bars": [target(*(series(f"{title} {n}", [(END, 30.0 * n)]) for n in range(4)), instant=True)],
        f"{title} table": [target(*table, instant=True)],
        f"{title} heatmap": [target(*(series(f"{title} {n}", wave(0, 9, n)) for n in range(6)))],
        f"{title} histogram": [target(series(f"{title} one", wave(0, 60)))],
        f"{title} timeline": [target(series(f"{title} one", states))],
        f"{title} history": [target(series(f"{title} one", states[::10]))],
        f"{title} failed": [target(error=f"{title} parse error")],
        f"{title} silent": [target()],
    }
    unasked = {f"{title} logs": [NotRun("A", "loki", f'{{pod="{title}"}}')]}
    return parts(
        panels,
        answers,
        unasked=unasked,
        variables={"node": [f"{title} node-0"]},
        title=f"{title} board",
        links=[{"title": f"{title} link"}],
    )
