"""gpuboards: Grafana dashboards as code for GPU training fleets.

What a board file needs is here: ``from builder import Board, Query, Row, TimeSeries, queries, variables``.
The names are imported when they are first used, so that the command line starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from builder import queries as queries
    from builder.grafana import cells as cells
    from builder.grafana import mappings as mappings
    from builder.grafana import overrides as overrides
    from builder.grafana import standard as variables
    from builder.grafana import style as style
    from builder.grafana import transforms as transforms
    from builder.grafana.alerts import AlertAnnotations as AlertAnnotations
    from builder.grafana.alerts import alert_labels as alert_labels
    from builder.grafana.board import BOARD_TAG as BOARD_TAG
    from builder.grafana.board import Board as Board
    from builder.grafana.board import Values as Values
    from builder.grafana.columns import Column as Column
    from builder.grafana.columns import table as table
    from builder.grafana.layout import Row as Row
    from builder.grafana.links import board_link as board_link
    from builder.grafana.links import drill as drill
    from builder.grafana.links import panel_link as panel_link
    from builder.grafana.logs import LogSelector as LogSelector
    from builder.grafana.logs import explore_logs as explore_logs
    from builder.grafana.overrides import Properties as Properties
    from builder.grafana.panels.base import PanelOptions as PanelOptions
    from builder.grafana.panels.heatmap import Heatmap as Heatmap
    from builder.grafana.panels.histogram import Histogram as Histogram
    from builder.grafana.panels.single import BarGauge as BarGauge
    from builder.grafana.panels.single import Gauge as Gauge
    from builder.grafana.panels.single import Stat as Stat
    from builder.grafana.panels.states import StateTimeline as StateTimeline
    from builder.grafana.panels.states import StatusHistory as StatusHistory
    from builder.grafana.panels.table import Table as Table
    from builder.grafana.panels.timeseries import TimeSeries as TimeSeries
    from builder.grafana.panels.words import AlertList as AlertList
    from builder.grafana.panels.words import Logs as Logs
    from builder.grafana.panels.words import Text as Text
    from builder.grafana.query import LogQuery as LogQuery
    from builder.grafana.query import LogsLink as LogsLink
    from builder.grafana.query import Query as Query
    from builder.grafana.thresholds import thresholds as thresholds

_HOMES = {
    "builder.grafana.alerts": ("AlertAnnotations", "alert_labels"),
    "builder.grafana.board": ("BOARD_TAG", "Board", "Values"),
    "builder.grafana.columns": ("Column", "table"),
    "builder.grafana.layout": ("Row",),
    "builder.grafana.links": ("board_link", "drill", "panel_link"),
    "builder.grafana.logs": ("LogSelector", "explore_logs"),
    "builder.grafana.overrides": ("Properties",),
    "builder.grafana.panels.base": ("PanelOptions",),
    "builder.grafana.panels.heatmap": ("Heatmap",),
    "builder.grafana.panels.histogram": ("Histogram",),
    "builder.grafana.panels.single": ("BarGauge", "Gauge", "Stat"),
    "builder.grafana.panels.states": ("StateTimeline", "StatusHistory"),
    "builder.grafana.panels.table": ("Table",),
    "builder.grafana.panels.timeseries": ("TimeSeries",),
    "builder.grafana.panels.words": ("AlertList", "Logs", "Text"),
    "builder.grafana.query": ("LogQuery", "LogsLink", "Query"),
    "builder.grafana.thresholds": ("thresholds",),
}
_MODULES = {
    "cells": "builder.grafana.cells",
    "mappings": "builder.grafana.mappings",
    "overrides": "builder.grafana.overrides",
    "queries": "builder.queries",
    "style": "builder.grafana.style",
    "transforms": "builder.grafana.transforms",
    "variables": "builder.grafana.standard",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'builder' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
