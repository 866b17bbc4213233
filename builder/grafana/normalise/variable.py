"""Stock variables (grafanalib's Template)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.grafana.normalise.fields import datasource_ref
from builder.grafana.plain import to_plain, without_nulls
from builder.grafana.variables import Variable, prometheus_query_json

_ALL = "$__all"
_ASKING = ("query", "adhoc")
_COMMON = ("name", "type", "label", "description", "hide", "skipUrlSync")
_CHOOSING = ("includeAll", "multi", "options", "allValue", "regex", "sort", "refresh")


def clean_variable(variable: Any, datasource: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON of any variable with the keys that its type reads.

    ``datasource`` is what it asks where it names none.
    """
    data: dict[str, Any] = to_plain(variable)
    if isinstance(variable, Variable):
        if datasource is not None and data["type"] in _ASKING:
            data.setdefault("datasource", dict(datasource))
        return data
    kind = data.get("type", "query")
    made = {key: data[key] for key in _COMMON if data.get(key) is not None}
    if kind in ("query", "custom", "datasource"):
        made |= {key: data[key] for key in _CHOOSING if data.get(key) not in (None, "")}
        made["current"] = _current(data)
    elif kind != "adhoc":
        value = data.get("current", {}).get("value") or data.get("query") or ""
        value = value.split(",")[0] if kind == "interval" else value
        made["current"] = {"text": value, "value": value}
    reference = datasource_ref(data.get("datasource"), "prometheus") or (dict(datasource) if datasource else None)
    if reference is not None and kind in _ASKING:
        made["datasource"] = reference
    if kind == "query":
        made |= _query(data.get("query"), reference)
    elif kind == "adhoc":
        made["filters"] = data.get("filters") or []
    else:
        made["query"] = data.get("query") or ""
    if kind == "custom":
        made["query"] = ",".join(value.strip() for value in made["query"].split(","))
        made["options"] = []
    if kind in ("custom", "datasource"):
        made.pop("sort", None)
    if kind == "custom":
        made.pop("refresh", None)
    if kind == "interval":
        made |= {"auto": bool(data.get("auto")), "refresh": 2}
        if made["auto"]:
            made |= {"auto_count": data.get("auto_count", 30), "auto_min": data.get("auto_min", "10s")}
    if kind == "constant":
        made["hide"] = 2  # shown, older migrations take a constant for a text box
    clean: dict[str, Any] = without_nulls(made)
    return clean


def _current(data: Mapping[str, Any]) -> dict[str, Any]:
    chosen = (data.get("current") or {}).get("value")
    multi = bool(data.get("multi"))
    if chosen in (None, "", []):
        if not data.get("includeAll"):
            return {}
        chosen = _ALL
    values = chosen if isinstance(chosen, list) else [chosen]
    values = [_ALL if value == "All" and data.get("includeAll") else value.strip() for value in values]
    texts = ["All" if value == _ALL else value for value in values]
    return {"text": texts, "value": values} if multi else {"text": texts[0], "value": values[0]}


def _query(query: Any, reference: Mapping[str, Any] | None) -> dict[str, Any]:
    if not isinstance(query, str):
        return {"query": query, "definition": str((query or {}).get("query", ""))}
    if reference is not None and reference["type"] == "prometheus":
        known = prometheus_query_json(query)
        if known is not None:
            return {"query": known, "definition": query}
    return {"query": query, "definition": query}
