"""The heatmap of Grafana 5 to 9.0 in the form since 9.1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.grafana.names import HEATMAP_SCHEMES

_LAYOUTS = {"upper": "le", "lower": "ge", "middle": "unknown"}


def convert_heatmap(data: dict[str, Any]) -> None:
    """Rewrite the old keys as options; a panel that has options already keeps them."""
    if data.get("options"):
        return
    buckets = data.get("dataFormat") == "tsbuckets"
    cards, tooltip = data.get("cards") or {}, data.get("tooltip") or {}
    options: dict[str, Any] = {
        "calculate": not buckets,
        "cellGap": _or(cards.get("cardPadding"), 1),
        "cellRadius": _or(cards.get("cardRound"), 0),
        "color": _colours(data.get("color") or {}),
        "filterValues": {"le": 1e-9 if data.get("hideZeroBuckets") else -1e9},
        "legend": {"show": bool((data.get("legend") or {}).get("show"))},
        "rowsFrame": {"layout": _LAYOUTS.get(data.get("yBucketBound") or "", "auto")},
        "tooltip": {
            "mode": "none" if tooltip.get("show") is False else "single",
            "yHistogram": bool(tooltip.get("showHistogram")),
        },
        "yAxis": _y_axis(data),
    }
    if not buckets:
        options["calculation"] = _calculation(data)
    data["options"] = options
    data["fieldConfig"] = {"defaults": {}, "overrides": []}


def _colours(old: Mapping[str, Any]) -> dict[str, Any]:
    scheme = str(old.get("colorScheme", "")).removeprefix("interpolate")
    return {
        "mode": "opacity" if old.get("mode") == "opacity" else "scheme",
        "scheme": scheme if scheme in HEATMAP_SCHEMES else "Oranges",
        "fill": old.get("cardColor"),
        "scale": "linear" if old.get("colorScale") == "linear" else "exponential",
        "exponent": old.get("exponent", 0.5),
        "steps": 128,
        "min": old.get("min"),
        "max": old.get("max"),
    }


def _y_axis(data: Mapping[str, Any]) -> dict[str, Any]:
    old = data.get("yAxis") or {}
    return {
        "axisPlacement": "left" if old.get("show", True) else "hidden",
        "axisLabel": old.get("label"),
        "decimals": old.get("decimals"),
        "max": _number(old.get("max")),
        "min": _number(old.get("min")),
        "reverse": bool(data.get("reverseYBuckets")),
        "unit": old.get("format"),
    }


def _calculation(data: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for axis in ("x", "y"):
        size, count = data.get(f"{axis}BucketSize"), data.get(f"{axis}BucketNumber")
        if size is not None:
            made[f"{axis}Buckets"] = {"mode": "size", "value": str(size)}
        elif count is not None:
            made[f"{axis}Buckets"] = {"mode": "count", "value": str(count)}
    base = (data.get("yAxis") or {}).get("logBase", 1)
    if base > 1:
        made.setdefault("yBuckets", {})["scale"] = {"type": "log", "log": base}
    return made


def _or(value: Any, default: int) -> Any:
    return default if value is None else value


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
