"""Queries of a panel: Prometheus and Loki."""

from __future__ import annotations

from typing import Any, ClassVar

from grafanalib import core

from builder.grafana.parameters import (
    Checked,
    check_datasource,
    choice,
    duration,
    flag,
    hidden,
    parameter,
    parameters,
    text,
    whole,
)


@parameters
class _Query(Checked, core.Target):
    """What the queries share; the grafanalib parameters that no Grafana from 10.4 on reads are gone."""

    named_by: ClassVar[str] = "expr"

    expr: str = text(default="", kw_only=False)
    legend: str = text(default="", kw_only=False)
    ref_id: str = text(default="")
    hide: bool = flag(default=False)
    datasource: Any = parameter(default=None, check=check_datasource)

    legendFormat: Any = hidden()  # noqa: N815 (the names are grafanalib's)
    intervalFactor: Any = hidden()  # noqa: N815
    metric: Any = hidden()
    refId: Any = hidden()  # noqa: N815
    step: Any = hidden()
    target: Any = hidden()
    instant: Any = hidden()
    format: Any = hidden()
    interval: Any = hidden()

    def _common(self) -> dict[str, Any]:
        data: dict[str, Any] = {"editorMode": "code", "expr": self.expr, "refId": self.ref_id}
        if self.datasource is not None:
            data["datasource"] = dict(self.datasource)
        if self.hide:
            data["hide"] = True
        return data


@parameters
class PromTarget(_Query):
    """A PromQL query: over the time range, or its end only (``instant``).

    ``legend`` may hold ``{{label}}``; empty leaves the choice to Grafana. ``interval`` is the smallest step.
    """

    instant: bool = flag(default=False)
    format: str = choice("time_series", "table", "heatmap", default="time_series")
    interval: str = duration(default="")
    exemplar: bool = flag(default=False)

    def to_json_data(self) -> dict[str, Any]:
        """The query as Grafana saves it."""
        data = self._common()
        data["instant" if self.instant else "range"] = True
        data["legendFormat"] = self.legend or "__auto"
        if self.format != "time_series":
            data["format"] = self.format
        if self.interval:
            data["interval"] = self.interval
        if self.exemplar:
            data["exemplar"] = True
        return data


@parameters
class LokiTarget(_Query):
    """A LogQL query; ``max_lines`` limits the log lines that one query fetches."""

    query_type: str = choice("range", "instant", default="range")
    max_lines: int | None = whole(default=None, at_least=1)

    def to_json_data(self) -> dict[str, Any]:
        """The query as Grafana saves it."""
        data = self._common()
        data["queryType"] = self.query_type
        if self.legend:
            data["legendFormat"] = self.legend
        if self.max_lines is not None:
            data["maxLines"] = self.max_lines
        return data
