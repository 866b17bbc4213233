"""Names of series in a legend, as Grafana's Prometheus data source writes them.

Rules: Grafana's pkg/promlib/querydata/response.go.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from builder.opening.server import Series
from builder.testing.exposition import format_labels

_LABEL = re.compile(r"\{\{\s*(.+?)\s*\}\}")


def with_legend(series: Series, legend_format: str, expr: str) -> Series:
    """The series with its legend: ``{{label}}`` filled in, an unknown label left empty.

    Without a format (or with ``__auto``) it is the series' name and labels, or the expression where the
    series has neither.
    """
    if legend_format and legend_format != "__auto":
        return replace(series, legend=_LABEL.sub(lambda m: series.labels.get(m[1], ""), legend_format))
    return replace(series, legend=_name(series.labels) or expr)


def _name(labels: Mapping[str, str]) -> str:
    rest = {name: value for name, value in labels.items() if name != "__name__"}
    return labels.get("__name__", "") + format_labels(rest)
