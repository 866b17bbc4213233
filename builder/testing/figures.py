"""The numbers that a board shows, named as its reader sees them: panel, column, series, unit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.opening.server import Series
from builder.testing.results import DashboardResult, PanelResult, TargetResult

_GRAPHS = ("timeseries", "heatmap", "state-timeline", "status-history")
_AGE = 300
"""Seconds after which a line has ended: Prometheus looks back so far for a sample."""


@dataclass(frozen=True)
class Figure:
    """What a panel shows, or one column of a table: the last value of each series, by the series' name.

    ``name`` is the panel's title, with ``" | heading"`` for a column. ``unit`` is Grafana's. A line that ends
    before the graph does is history and has no value; a number that a panel calculates from a range is the last
    there was, however old, as Grafana shows it.
    """

    board: str
    name: str
    unit: str
    values: Mapping[str, float]


def figures(dashboard: Mapping[str, Any], result: DashboardResult) -> tuple[Figure, ...]:
    """All numbers of a dashboard that was run.

    A series is called what the legend calls it. Where there is no legend (tables, single numbers) its labels
    speak: ``ml/worker-0 on gpu-node-01 gpu 0``, ``ml/bert`` for a job, or nothing where it has none. Two series
    of one name are told apart by ``(2)``: a reader could not tell them apart at all.
    """
    models = {panel["id"]: panel for panel in _models(dashboard.get("panels", ()))}
    return tuple(figure for panel in result.panels for figure in _of_panel(panel, models[panel.id], result.uid))


def series_name(labels: Mapping[str, str]) -> str:
    """A series' labels in words: what it is, whose, and where."""
    job = labels.get("training_job", "")
    holder = "/".join(part for part in (labels.get("namespace"), labels.get("pod") or job) if part)
    card = labels.get("gpu") or labels.get("uuid", "")
    rank, xid = labels.get("rank", ""), labels.get("xid", "")
    words = [labels.get("node", ""), f"gpu {card}" if card else "", labels.get("mig", "")]
    place = " ".join(word for word in words if word)
    what = [labels.get("metric", ""), f"{holder} rank {rank}" if rank else holder]
    return " on ".join(part for part in (*what, place) if part) + (f": XID {xid}" if xid else "")


def _models(panels: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for panel in panels:
        yield panel
        yield from _models(panel.get("panels") or ())


def _of_panel(panel: PanelResult, model: Mapping[str, Any], board: str) -> Iterator[Figure]:
    if not panel.targets:
        return
    title = _title(panel)
    defaults = model.get("fieldConfig", {}).get("defaults", {})
    if panel.type != "table":
        ended = _AGE if panel.type in _GRAPHS else math.inf
        found = [
            (name, series)
            for target in panel.targets
            for name, series in _named(target, model)
            if target.end - series.points[-1][0] <= ended
        ]
        yield Figure(board, title, defaults.get("unit", ""), _by_name(found))
        return
    named = headings(model)
    for target in panel.targets:
        heading = named.get(f"Value #{target.ref_id}") or named.get("Value", target.ref_id)
        unit = _unit_of(heading, model) or defaults.get("unit", "")
        values = _by_name([(series_name(s.labels), s) for s in target.series])
        yield Figure(board, f"{title} | {heading}", unit, values)


def _title(panel: PanelResult) -> str:
    title = panel.title
    for name, value in panel.scope.items():
        title = title.replace(f"${{{name}}}", value).replace(f"${name}", value)
    return title if title != panel.title or not panel.scope else f"{title} ({', '.join(panel.scope.values())})"


def _named(target: TargetResult, model: Mapping[str, Any]) -> Iterator[tuple[str, Series]]:
    legends = {t.get("refId"): t.get("legendFormat", "") for t in model.get("targets", ())}
    automatic = legends.get(target.ref_id, "") in ("", "__auto")
    for series in target.series:
        yield (series_name(series.labels) if automatic else series.legend.strip()), series


def _by_name(found: Sequence[tuple[str, Series]]) -> dict[str, float]:
    values: dict[str, float] = {}
    for name, series in found:
        copies = sum(1 for known in values if known == name or known.startswith(f"{name} ("))
        values[f"{name} ({copies + 1})" if copies else name] = series.last
    return values


def headings(model: Mapping[str, Any]) -> Mapping[str, str]:
    """The columns' headings of a table in dashboard JSON, by the field that Grafana makes of a query (``Value #A``)."""
    renamed: dict[str, str] = {}
    for step in model.get("transformations", ()):
        renamed |= step.get("options", {}).get("renameByName", {})
    return renamed


def _unit_of(heading: str, model: Mapping[str, Any]) -> str:
    for override in model.get("fieldConfig", {}).get("overrides", ()):
        if override["matcher"] == {"id": "byName", "options": heading}:
            for prop in override["properties"]:
                if prop["id"] == "unit":
                    return str(prop["value"])
    return ""
