"""Queries of stock grafanalib targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.errors import DefinitionError, short
from builder.grafana.normalise.fields import datasource_ref
from builder.grafana.plain import without_nulls

# What the base class Target writes for every plugin, though only some read it.
_BASE = (
    "expr",
    "query",
    "target",
    "format",
    "interval",
    "intervalFactor",
    "legendFormat",
    "metric",
    "step",
    "instant",
)


def clean_target(target: Any, plugin: str = "prometheus") -> dict[str, Any]:
    """A query with the keys that its data source reads. A query with ``expr`` is one for ``plugin``."""
    data = without_nulls(target)
    if not isinstance(data, dict):
        raise DefinitionError(
            f"{short(target)} in a panel of grafanalib",
            fix="a Query belongs in a panel of builder (from builder import TimeSeries), a Target in one of either",
        )
    reference = datasource_ref(data.pop("datasource", None), plugin)
    spoken = (reference or {}).get("type", plugin)
    if data.get("expr") and spoken == "prometheus":
        made = _prometheus(data)
    elif data.get("expr") and spoken == "loki":
        made = _loki(data)
    else:
        made = {key: value for key, value in data.items() if key not in _BASE or _says_something(key, value)}
    if data.get("hide"):
        made["hide"] = True
    else:
        made.pop("hide", None)
    made["refId"] = data.get("refId", "")
    if reference is not None:
        made["datasource"] = reference
    return made


def _prometheus(data: Mapping[str, Any]) -> dict[str, Any]:
    instant = bool(data.get("instant"))
    made: dict[str, Any] = {
        "editorMode": data.get("editorMode", "code"),
        "expr": data["expr"],
        "legendFormat": data.get("legendFormat") or "__auto",
        "instant" if instant else "range": True,
    }
    if data.get("format", "time_series") != "time_series":
        made["format"] = data["format"]
    if data.get("interval"):
        made["interval"] = data["interval"]
    if data.get("exemplar"):
        made["exemplar"] = True
    return made


def _loki(data: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "editorMode": "code",
        "expr": data["expr"],
        "queryType": data.get("queryType") or ("instant" if data.get("instant") else "range"),
    }
    for key in ("legendFormat", "maxLines"):
        if data.get(key):
            made[key] = data[key]
    return made


def _says_something(key: str, value: Any) -> bool:
    # intervalFactor, step and format hold grafanalib's defaults for Prometheus, whatever the plugin.
    return bool(value) and key not in ("intervalFactor", "step", "format", "metric")
