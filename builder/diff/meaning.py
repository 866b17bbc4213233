"""What absent means in a classic dashboard, and what in it is noise.

The defaults are those of Grafana's own schemas (``kinds/dashboard`` and the ``panelcfg`` of each panel, 10.0 to 13.2):
what Grafana fills in by itself, and writes out when somebody saves the board in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.diff.tree import Spec, merged, spec

NOISE = Spec(noise=True)
WHOLE = Spec(whole=True)
_BUILT_IN = {"enable": True, "hide": True, "iconColor": "rgba(0, 211, 255, 1)", "name": "Annotations & Alerts"}


def titled(element: Any) -> str:
    """What links and the like are called."""
    return first(element, "title", "url", "name", "id")


def named(element: Any) -> str:
    """What variables and annotations are called."""
    return first(element, "name", "title")


def first(element: Any, *keys: str) -> str:
    """The first of an element's members that says something."""
    if isinstance(element, dict):
        return next((str(element[key]) for key in keys if element.get(key) not in (None, "")), "?")
    return str(element)


# the board ---------------------------------------------------------------------------------------


def refresh(value: Any) -> Any:
    """Off is written false or empty."""
    return "" if value is False else value


BOARD = spec(
    {
        **dict.fromkeys(("id", "version", "iteration", "gnetId", "pluginVersion", "__requires"), NOISE),
        "__elements": {},
        "annotations": {},
        "templating": {},
        "panels": NOISE,  # compared by themselves
        "rows": NOISE,
        "description": "",
        "editable": True,
        "fiscalYearStartMonth": 0,
        "graphTooltip": 0,
        "liveNow": False,
        "preload": False,
        "refresh": Spec(default="", tidy=refresh),
        "schemaVersion": Spec(tidy=lambda v: 42 if isinstance(v, int) and 39 <= v <= 42 else v),
        "style": "dark",
        "tags": Spec(default=[]),
        "time": {},
        "timepicker": {"hidden": False, "time_options": NOISE},
        "timezone": Spec(default="browser", tidy=lambda v: v or "browser"),
        "weekStart": "",
    }
)


def is_built_in(annotation: Any) -> bool:
    """True for the annotation that Grafana itself adds to every board, as it adds it."""
    if not isinstance(annotation, dict) or annotation.get("builtIn") != 1:
        return False
    return all(annotation.get(key, value) == value for key, value in _BUILT_IN.items())


ANNOTATION = spec({"datasource": WHOLE, "enable": True, "hide": False, "builtIn": 0, "filter": WHOLE})
LINK = spec(
    {
        **dict.fromkeys(("asDropdown", "includeVars", "keepTime", "targetBlank"), False),
        **dict.fromkeys(("icon", "tooltip", "url"), ""),
        "tags": Spec(default=[]),
        "type": "link",
    }
)

# variables ---------------------------------------------------------------------------------------

_VARIABLE = spec(
    {
        "allValue": "",
        "current": {},
        "datasource": WHOLE,
        "description": "",
        "hide": 0,
        "includeAll": False,
        "label": "",
        "multi": False,
        "query": Spec(default=""),
        "regex": "",
        "skipUrlSync": False,
        "sort": 0,
        "useTags": False,
        **dict.fromkeys(("tagValuesQuery", "tagsQuery"), ""),
        "tags": Spec(default=[]),
    }
)
VARIABLES: Mapping[str, Spec] = {
    # The values that were last found, or that stand in the query.
    **dict.fromkeys(
        ("query", "datasource", "custom", "interval", "constant", "textbox"),
        merged(_VARIABLE, spec({"options": NOISE})),
    ),
    "": _VARIABLE,
}


def tidy_variable(variable: Mapping[str, Any]) -> dict[str, Any]:
    """A variable without what repeats something else in it."""
    data = dict(variable)
    query = data.get("query")
    if (
        isinstance(query, dict)
        and query.keys() <= {"query", "refId", "qryType"}
        and isinstance(query.get("query"), str)
    ):
        data["query"] = query["query"]
    if data.get("definition") in (None, "", data.get("query")):
        data.pop("definition", None)
    current = data.get("current")
    if isinstance(current, dict):
        data["current"] = _chosen(current)
    return data


def _chosen(current: Mapping[str, Any]) -> dict[str, Any]:
    """What is chosen at first. Text and value of "All" are written with brackets and without."""
    data = {key: value for key, value in current.items() if key not in ("selected", "tags", "isNone")}
    value = data.get("value")
    if value == ["$__all"]:
        data["value"] = "$__all"
    if data.get("value") == "$__all" or data.get("text") in (value, "", None) or data.get("text") == [value]:
        data.pop("text", None)
    if data.get("value") == "" and len(data) == 1:
        return {}
    return data
