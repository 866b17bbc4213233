"""The kinds of panel, one module each: what a panel's JSON and its answers make of one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from builder.preview.asked import Asked
from builder.preview.contents import Content
from builder.preview.panels import (
    bargauge,
    gauge,
    heatmap,
    histogram,
    placeholder,
    stat,
    state_timeline,
    table,
    text,
    timeseries,
)

KINDS: Mapping[str, Callable[[Asked], Content]] = {
    "timeseries": timeseries.content,
    "graph": timeseries.content,
    "stat": stat.content,
    "gauge": gauge.content,
    "bargauge": bargauge.content,
    "table": table.content,
    "heatmap": heatmap.content,
    "state-timeline": state_timeline.content,
    "status-history": state_timeline.history,
    "histogram": histogram.content,
    "text": text.content,
}
"""By Grafana's id of the panel plugin; every other one is a placeholder."""

content_of = placeholder.or_content(KINDS)
"""What is in a panel: drawn by its kind, or words where there is nothing to draw."""
