"""Field settings: thresholds, value mappings, overrides, legends, data sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from grafanalib import core

from builder.errors import DefinitionError, short
from builder.grafana.names import REDUCERS
from builder.grafana.plain import without_nulls

_CELLS: dict[str, dict[str, str]] = {
    "auto": {"type": "auto"},
    "color-text": {"type": "color-text"},
    "color-background": {"type": "color-background", "mode": "gradient"},
    "color-background-solid": {"type": "color-background", "mode": "basic"},
    "gradient-gauge": {"type": "gauge", "mode": "gradient"},
    "lcd-gauge": {"type": "gauge", "mode": "lcd"},
    "basic": {"type": "gauge", "mode": "basic"},
    "gauge": {"type": "gauge"},
    "json-view": {"type": "json-view"},
    "image": {"type": "image"},
}
_VALUE = itemgetter("value")
_REDUCER_ALIASES = {"current": "lastNotNull", "avg": "mean", "total": "sum"}


def reducer(name: str, where: str) -> str:
    """A reducer under its present name."""
    present = _REDUCER_ALIASES.get(name, name)
    if present not in REDUCERS:
        raise DefinitionError(
            f"unknown reducer {short(name)}", where=where, fix=f"one of {', '.join(sorted(REDUCERS))}"
        )
    return present


def datasource_ref(value: Any, plugin: str) -> dict[str, Any] | None:
    """A data source as {type, uid}; grafanalib's strings are names or variables."""
    if value is None or value == "":
        return None
    if value.__class__ is not str and isinstance(value, Mapping):
        return dict(value)
    if value == "-- Grafana --":
        return {"type": "grafana", "uid": value}
    if value in ("-- Mixed --", "-- Dashboard --"):
        return {"type": "datasource", "uid": value}
    name = str(value)
    if name.startswith("$") and not name.startswith("${"):
        name = f"${{{name[1:]}}}"
    return {"type": plugin, "uid": name}


def thresholds(steps: Any, mode: str = "absolute") -> dict[str, Any] | None:
    """Thresholds whose first step is null, in ascending order; None where there are none."""
    if not isinstance(steps, (list, tuple, Sequence)) or isinstance(steps, str) or not steps:
        return None
    first, *others = map(_step, steps)
    made = [{"color": step["color"], "value": step["value"]} for step in others if _is_number(step.get("value"))]
    made.sort(key=_VALUE)
    return {"mode": mode, "steps": [{"color": first["color"], "value": None}, *made]}


def mappings(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Value mappings in the form since Grafana 8; the older one held one text a mapping, by number."""
    made: list[dict[str, Any]] = []
    for index, item in enumerate(items):
        kind = item.get("type")
        shown = {"index": index, "text": str(item.get("text", ""))}
        if kind == 1:
            made.append({"type": "value", "options": {str(item.get("value", "")): shown}})
        elif kind == 2:
            ends = {"from": _to_number(item.get("from")), "to": _to_number(item.get("to"))}
            made.append({"type": "range", "options": ends | {"result": shown}})
        else:
            made.append(_tidied(item))
    return made


def overrides(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Overrides with the property ids of today."""
    made: list[dict[str, Any]] = []
    for item in items:
        override = without_nulls(item)
        for setting in override.get("properties", []):
            if setting["id"] == "custom.displayMode":
                setting["id"], setting["value"] = "custom.cellOptions", cell(setting["value"])
            elif setting["id"] == "thresholds":
                setting["value"] = thresholds(setting["value"].get("steps"), setting["value"].get("mode", "absolute"))
        made.append(override)
    return made


def cell(display_mode: str) -> dict[str, str]:
    """The cell type that a table's displayMode became in Grafana 9.5."""
    return dict(_CELLS.get(display_mode, _CELLS["auto"]))


def legend(data: Mapping[str, Any]) -> dict[str, Any]:
    """A legend that says whether it is shown."""
    made = dict(data)
    hidden = made.get("displayMode") == "hidden"
    made["displayMode"] = "list" if hidden else made.get("displayMode", "list")
    made["placement"] = "right" if made.get("placement") == "right" else "bottom"
    made["showLegend"] = not hidden and made.get("showLegend", True)
    made.setdefault("calcs", [])
    return made


def _tidied(item: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping of the present form without empty colours and missing indexes; an open end stays null."""

    def result(shown: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in shown.items() if value not in (None, "") or key == "text"}

    options = item.get("options", {})
    if item.get("type") == "value":
        return {"type": "value", "options": {key: result(shown) for key, shown in options.items()}}
    return {
        "type": item.get("type"),
        "options": {key: result(value) if key == "result" else value for key, value in options.items()},
    }


def _step(step: Any) -> Mapping[str, Any]:
    if step.__class__ is core.Threshold:  # what it would write, without the half that is not read
        return {"color": step.color, "value": None if step.index == 0 else step.value}
    made: Mapping[str, Any] = step if isinstance(step, dict) else step.to_json_data()
    return made


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _to_number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
