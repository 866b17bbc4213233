"""The graph panel, which ended with Grafana 12, as a time series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.errors import DefinitionError

_LEGEND_CALCS = (
    ("min", "min"),
    ("max", "max"),
    ("avg", "mean"),
    ("current", "lastNotNull"),
    ("total", "sum"),
)
_LEGEND_NAMES = {"min": "Min", "max": "Max", "avg": "Mean", "current": "Last *", "total": "Total"}
_TOOLTIP_SORT = {0: "none", 1: "asc", 2: "desc"}
_THRESHOLD_COLOURS = {"ok": "green", "warning": "orange", "critical": "red"}


def graph_to_timeseries(data: dict[str, Any]) -> None:
    """Rewrite a graph panel in place. Raises DefinitionError for what a time series cannot show."""
    if data.get("alert"):
        raise DefinitionError("alerts inside panels ended with Grafana 11", fix="write an alerting rule")
    if data.get("xaxis", {}).get("mode", "time") != "time":
        raise DefinitionError("a graph by series is a bar gauge today", fix="use BarGauge")
    left, right = [*data.get("yaxes", ()), {}, {}][:2]
    defaults = data.get("fieldConfig", {}).get("defaults", {})
    made = {
        "unit": defaults.get("unit") or left.get("format"),
        "decimals": left.get("decimals"),
        "min": _number(left.get("min")),
        "max": _number(left.get("max")),
        "color": {"mode": "palette-classic"},
        "links": data.get("options", {}).get("dataLinks"),
        "custom": _custom(data, left),
    }
    _put_thresholds(data, made)
    data["fieldConfig"] = {"defaults": made, "overrides": _overrides(data, right)}
    data["options"] = {
        "legend": _legend(data.get("legend") or {}),
        "tooltip": _tooltip(data.get("tooltip") or {}),
    }
    data["type"] = "timeseries"


def _custom(data: Mapping[str, Any], axis: Mapping[str, Any]) -> dict[str, Any]:
    stepped = data.get("steppedLine")
    custom: dict[str, Any] = {
        "drawStyle": _draw_style(data),
        "fillOpacity": min(100, 10 * int(data.get("fill", 0))),
        "gradientMode": "opacity" if data.get("fillGradient") else "none",
        "lineInterpolation": "stepAfter" if stepped else "linear",
        "lineWidth": data.get("linewidth", 1),
        "pointSize": data.get("pointradius", 5),
        "showPoints": "always" if data.get("points") else "never",
        "spanNulls": data.get("nullPointMode") == "connected",
        "axisPlacement": "auto" if axis.get("show", True) else "hidden",
    }
    if axis.get("label"):
        custom["axisLabel"] = axis["label"]
    if axis.get("logBase", 1) > 1:
        custom["scaleDistribution"] = {"type": "log", "log": axis["logBase"]}
    if data.get("stack"):
        custom["stacking"] = {"group": "A", "mode": "percent" if data.get("percentage") else "normal"}
    return custom


def _draw_style(data: Mapping[str, Any]) -> str:
    if data.get("bars"):
        return "bars"
    return "line" if data.get("lines", True) or not data.get("points") else "points"


def _legend(old: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "calcs": [new for name, new in _LEGEND_CALCS if old.get(name)],
        "displayMode": "table" if old.get("alignAsTable") else "list",
        "placement": "right" if old.get("rightSide") else "bottom",
        "showLegend": bool(old.get("show", True)),
    }
    if old.get("sort") in _LEGEND_NAMES:
        made |= {"sortBy": _LEGEND_NAMES[old["sort"]], "sortDesc": bool(old.get("sortDesc"))}
    if old.get("sideWidth"):
        made["width"] = old["sideWidth"]
    return made


def _tooltip(old: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "mode": "multi" if old.get("shared", True) else "single",
        "sort": _TOOLTIP_SORT.get(old.get("sort", 0), "none"),
    }


def _put_thresholds(data: Mapping[str, Any], defaults: dict[str, Any]) -> None:
    """Thresholds of "greater than" colour from their value up, those of "less than" from it down."""
    old = sorted(data.get("thresholds") or [], key=lambda item: float(item["value"]))
    if not old:
        return
    base = "transparent"
    steps: list[dict[str, Any]] = []
    for item in old:
        colour = _threshold_colour(item)
        if item.get("op") == "lt":
            if not steps:
                base = colour
            steps.append({"color": "transparent", "value": item["value"]})
        else:
            steps.append({"color": colour, "value": item["value"]})
    filled, lined = any(item.get("fill") for item in old), any(item.get("line") for item in old)
    mode = "line+area" if filled and lined else "area" if filled else "line"
    defaults["custom"]["thresholdsStyle"] = {"mode": mode}
    defaults["thresholds"] = {"mode": "absolute", "steps": [{"color": base, "value": None}, *steps]}


def _threshold_colour(item: Mapping[str, Any]) -> str:
    mode = item.get("colorMode", "critical")
    return (
        str(item.get("lineColor") or item.get("fillColor") or "red") if mode == "custom" else _THRESHOLD_COLOURS[mode]
    )


def _overrides(data: Mapping[str, Any], right: Mapping[str, Any]) -> list[dict[str, Any]]:
    made = [
        _override(name, {"color": {"mode": "fixed", "fixedColor": colour}})
        for name, colour in (data.get("aliasColors") or {}).items()
    ]
    for item in data.get("seriesOverrides") or []:
        settings: dict[str, Any] = {}
        if item.get("yaxis") == 2:
            settings["custom.axisPlacement"] = "right"
            if right.get("format") and right["format"] != "short":
                settings["unit"] = right["format"]
            for key in ("min", "max"):
                if _number(right.get(key)) is not None:
                    settings[key] = _number(right[key])
            if right.get("label"):
                settings["custom.axisLabel"] = right["label"]
        if item.get("color"):
            settings["color"] = {"mode": "fixed", "fixedColor": item["color"]}
        if item.get("fillBelowTo"):
            settings["custom.fillBelowTo"] = item["fillBelowTo"]
        if item.get("fill") is not None:
            settings["custom.fillOpacity"] = 10 * item["fill"]
        if item.get("bars"):
            settings["custom.drawStyle"] = "bars"
        elif item.get("lines") is False:
            settings["custom.lineWidth"] = 0
        if item.get("dashes"):
            dash = [item.get("dashLength") or 10, item.get("spaceLength") or 10]
            settings["custom.lineStyle"] = {"fill": "dash", "dash": dash}
        if settings:
            made.append(_override(item["alias"], settings))
    return made


def _override(alias: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    matcher = "byRegexp" if alias.startswith("/") else "byName"
    return {
        "matcher": {"id": matcher, "options": alias},
        "properties": [{"id": key, "value": value} for key, value in settings.items()],
    }


def _number(value: Any) -> float | None:
    """An axis limit: grafanalib takes numbers and strings, and "auto" for none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
