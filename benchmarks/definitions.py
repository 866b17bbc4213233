"""The boards that are built: the same panels written for grafanalib and with the panels of this project.

The files are as somebody keeps many boards: a table of what each panel shows, and a function that makes the panel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_METRICS = (
    ("utilisation", "DCGM_FI_DEV_GPU_UTIL", "percent", 60, 90),
    ("memory used", "DCGM_FI_DEV_FB_USED", "decmbytes", 60000, 76000),
    ("temperature", "DCGM_FI_DEV_GPU_TEMP", "celsius", 75, 88),
    ("power", "DCGM_FI_DEV_POWER_USAGE", "watt", 500, 690),
    ("SM clock", "DCGM_FI_DEV_SM_CLOCK", "hertz", 1200, 1800),
)
_CLASSES = {"timeseries": "TimeSeries", "stat": "Stat", "table": "Table"}
_KINDS = tuple(_CLASSES)


@dataclass(frozen=True)
class _Panel:
    kind: str
    title: str
    expr: str
    unit: str
    warning: int
    critical: int


def write_stock(directory: Path, boards: int, panels: int) -> list[Path]:
    """Write ``boards`` files that define a grafanalib Dashboard each; returns their paths in order."""
    return _write(directory, boards, panels, _stock_source, ".dashboard.py")


def write_own(directory: Path, boards: int, panels: int) -> list[Path]:
    """Write ``boards`` files that define a Board with the same panels each; returns their paths in order."""
    return _write(directory, boards, panels, _own_source, ".py")


def _write(
    directory: Path, boards: int, panels: int, source: Callable[[int, list[_Panel]], str], suffix: str
) -> list[Path]:
    directory.mkdir()
    paths = [directory / f"board_{number}{suffix}" for number in range(boards)]
    for number, path in enumerate(paths):
        path.write_text(source(number, _panels(number, panels)), encoding="utf-8")
    return paths


def _panels(board: int, count: int) -> list[_Panel]:
    return [_panel(board, index) for index in range(count)]


def _panel(board: int, index: int) -> _Panel:
    kind = _KINDS[index % len(_KINDS)]
    name, metric, unit, warning, critical = _METRICS[index % len(_METRICS)]
    return _Panel(
        kind=kind,
        title=f"{name.capitalize()} {index}, {kind}",
        expr=f'max by (Hostname, gpu) ({metric}{{Hostname=~"$node", rack="r{board}-{index}"}})',
        unit=unit,
        warning=warning + index,
        critical=critical + index,
    )


def _rows(panels: list[_Panel]) -> str:
    return "".join(
        f"    ({_CLASSES[p.kind]}, {p.title!r}, {p.expr!r}, {p.unit!r}, {p.warning}.0, {p.critical}.0),\n"
        for p in panels
    )


def _stock_source(number: int, panels: list[_Panel]) -> str:
    return f"""\
from grafanalib.core import (
    Dashboard, GridPos, Stat, Table, Target, Template, Templating, Threshold, TimeSeries,
)

PANELS = [
{_rows(panels)}]


def panel(index, kind, title, expr, unit, warning, critical):
    table = {{"instant": True, "format": "table"}} if kind is Table else {{}}
    return kind(
        title=title,
        dataSource="$datasource",
        targets=[Target(expr, legendFormat="{{{{Hostname}}}} {{{{gpu}}}}", refId="A", **table)],
        thresholds=[Threshold("green", 0, 0.0), Threshold("orange", 1, warning), Threshold("red", 2, critical)],
        gridPos=GridPos(h=8, w=12, x=index % 2 * 12, y=index // 2 * 8),
        **{{"format" if kind is Stat else "unit": unit}},
    )


dashboard = Dashboard(
    title="Board {number}",
    uid="board-{number}",
    tags=["gpu"],
    timezone="browser",
    refresh="1m",
    templating=Templating(list=[
        Template(name="datasource", type="datasource", query="prometheus"),
        Template(name="node", dataSource="$datasource", query="label_values(DCGM_FI_DEV_GPU_UTIL, Hostname)"),
    ]),
    panels=[panel(index, *row) for index, row in enumerate(PANELS)],
)
"""


def _own_source(number: int, panels: list[_Panel]) -> str:
    return f"""\
from builder import Board, Query, Stat, Table, TimeSeries, thresholds
from builder import variables as v

PANELS = [
{_rows(panels)}]


def panel(kind, title, expr, unit, warning, critical):
    table = {{"instant": True, "format": "table"}} if kind is Table else {{}}
    return kind(
        title,
        [Query(expr, legend="{{{{Hostname}}}} {{{{gpu}}}}", **table)],
        unit=unit,
        thresholds=thresholds("green", (warning, "orange"), (critical, "red")),
        width=12,
        height=8,
    )


board = Board(
    uid="board-{number}",
    title="Board {number}",
    tags=["gpu"],
    refresh="1m",
    variables=[v.datasource, v.node],
    panels=[panel(*row) for row in PANELS],
)
"""
