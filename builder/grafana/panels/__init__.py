"""The panels that a board is made of."""

from builder.grafana.panels.base import GRID_COLUMNS, PLUGIN_VERSION, ModernPanel
from builder.grafana.panels.heatmap import Heatmap
from builder.grafana.panels.histogram import Histogram
from builder.grafana.panels.row import RowPanel
from builder.grafana.panels.single import BarGauge, Gauge, Stat
from builder.grafana.panels.states import StateTimeline, StatusHistory
from builder.grafana.panels.table import Table
from builder.grafana.panels.timeseries import TimeSeries
from builder.grafana.panels.words import AlertList, Logs, Text

__all__ = [
    "GRID_COLUMNS",
    "PLUGIN_VERSION",
    "AlertList",
    "BarGauge",
    "Gauge",
    "Heatmap",
    "Histogram",
    "Logs",
    "ModernPanel",
    "RowPanel",
    "Stat",
    "StateTimeline",
    "StatusHistory",
    "Table",
    "Text",
    "TimeSeries",
]
