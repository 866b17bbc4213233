"""Panels of single values in the shapes of Grafana 5 to 7: singlestat, gauge, bar gauge, pie chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from builder.grafana.normalise.fields import reducer

_PLACEMENTS = {"Right side": "right", "rightSide": "right"}


def single_to_stat(data: dict[str, Any]) -> None:
    """A singlestat as a stat, or as a gauge where its gauge was shown."""
    name = data.get("valueName", "avg")
    calc = "lastNotNull" if name == "name" else reducer(name, "valueName")
    unit = data.get("format", "none")
    if unit == "none" and data.get("postfix"):
        unit = f"suffix:{data['postfix']}"
    elif unit == "none" and data.get("prefix"):
        unit = f"prefix:{data['prefix']}"
    defaults: dict[str, Any] = {
        "color": {"mode": "thresholds"},
        "decimals": data.get("decimals"),
        "mappings": _old_mappings(data),
        "noValue": data.get("nullText"),
        "thresholds": {"steps": _coloured_steps(data.get("thresholds"), data.get("colors") or [])},
        "unit": unit,
    }
    options: dict[str, Any] = {"reduceOptions": _reduce([calc]), "orientation": "auto"}
    gauge = data.get("gauge") or {}
    if gauge.get("show"):
        data["type"] = "gauge"
        defaults |= {"min": gauge.get("minValue"), "max": gauge.get("maxValue")}
        options |= {
            "showThresholdLabels": gauge.get("thresholdLabels", False),
            "showThresholdMarkers": gauge.get("thresholdMarkers", True),
        }
    else:
        data["type"] = "stat"
        options |= {
            "colorMode": _colour_mode(data),
            "graphMode": "area" if (data.get("sparkline") or {}).get("show") else "none",
            "justifyMode": "auto",
            "textMode": "name" if name == "name" else "auto",
        }
    data["fieldConfig"] = {"defaults": defaults, "overrides": []}
    data["options"] = options


def convert_gauge(data: dict[str, Any]) -> None:
    """The gauge: what grafanalib writes beside the field settings becomes options."""
    config = data.get("fieldConfig", {})
    old = config.get("defaults", {})
    if "calcs" not in old:
        return
    options = data.get("options") or {}
    options.setdefault("orientation", "auto")
    options["reduceOptions"] = _reduce(old["calcs"], old.get("values", False), old.get("limit"))
    for key, default in (("showThresholdLabels", False), ("showThresholdMarkers", True)):
        options.setdefault(key, config.get(key, default))
    data["options"] = options
    data["fieldConfig"] = {
        "defaults": _field_settings(old, old.get("thresholds")),
        "overrides": config.get("overrides"),
    }


def convert_bar_gauge(data: dict[str, Any]) -> None:
    """The bar gauge: everything that grafanalib writes into ``fieldOptions`` goes where it belongs."""
    options = data.get("options") or {}
    old = options.pop("fieldOptions", None)
    for key in ("showThresholdLabels", "showThresholdMarkers"):
        options.pop(key, None)
    if old is None:
        return
    options["reduceOptions"] = _reduce(old.get("calcs", []), old.get("values", False), old.get("limit"))
    settings = {**old.get("defaults", {}), "mappings": old.get("mappings")}
    steps = {
        "steps": old.get("thresholds"),
        "mode": data.get("fieldConfig", {}).get("defaults", {}).get("thresholds", {}).get("mode"),
    }
    data["options"] = options
    data["fieldConfig"] = {"defaults": _field_settings(settings, steps), "overrides": []}


def pie_to_piechart(data: dict[str, Any]) -> None:
    """The pie chart plug-in of Grafana 7 as the panel that followed it."""
    old = data.get("legend") or {}
    shown = data.get("legendType") != "On graph" and bool(old.get("show", True))
    colours = (data.get("aliasColors") or {}).items()
    overrides = data.get("fieldConfig", {}).get("overrides") or []
    data["type"] = "piechart"
    data["options"] = {
        "pieType": data.get("pieType", "pie"),
        "reduceOptions": _reduce(["lastNotNull"]),
        "displayLabels": [] if shown else ["name"],
        "legend": {
            "displayMode": "table",
            "placement": _PLACEMENTS.get(data.get("legendType", ""), "bottom"),
            "showLegend": shown,
            "values": [word for key, word in (("values", "value"), ("percentage", "percent")) if old.get(key)],
        },
        "tooltip": {"mode": "single", "sort": "none"},
    }
    data["fieldConfig"] = {
        "defaults": {"color": {"mode": "palette-classic"}, "unit": data.get("format")},
        "overrides": [
            *overrides,
            *(
                {
                    "matcher": {"id": "byName", "options": name},
                    "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}],
                }
                for name, colour in colours
            ),
        ],
    }


def _reduce(calcs: Sequence[str], values: bool = False, limit: int | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {
        "calcs": [reducer(calc, "calc") for calc in calcs],
        "fields": "",
        "values": values,
    }
    return made if limit is None else made | {"limit": limit}


def _field_settings(old: Mapping[str, Any], thresholds: Any) -> dict[str, Any]:
    kept = {key: old.get(key) for key in ("decimals", "max", "min", "unit", "links", "mappings")}
    return {
        "color": {"mode": "thresholds"},
        "displayName": old.get("title"),
        "thresholds": thresholds,
        **kept,
    }


def _colour_mode(data: Mapping[str, Any]) -> str:
    if data.get("colorBackground"):
        return "background"
    return "value" if data.get("colorValue") else "none"


def _coloured_steps(values: Any, colours: Sequence[str]) -> list[dict[str, Any]]:
    """Singlestat's "50,80" and its three colours."""
    if not isinstance(values, str) or not values.strip() or not colours:
        return []
    numbers = [float(value) for value in values.split(",")]
    steps: list[dict[str, Any]] = [{"color": colours[0], "value": None}]
    steps += [{"color": colour, "value": value} for colour, value in zip(colours[1:], numbers, strict=False)]
    return steps


def _old_mappings(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    if data.get("mappingType") == 2:
        return [{**item, "type": 2} for item in data.get("rangeMaps") or []]
    return [{**item, "type": 1} for item in data.get("valueMaps") or []]
