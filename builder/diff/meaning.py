"""What absent means in a classic dashboard, and what in it is noise.

The defaults are those of Grafana's own schemas (``kinds/dashboard`` and the ``panelcfg`` of each panel, 10.0 to 13.2):
what Grafana fills in by itself, and writes out when somebody saves the board in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from builder.diff.tree import Spec, merged, spec

NOISE = Spec(noise=True)
WHOLE = Spec(whole=True)
_BUILT_IN = {"enable": True, "hide": True, "iconColor": "rgba(0, 211, 255, 1)", "name": "Annotations & Alerts"}


def titled(element: Any) -> str:
    """What links and the like are called."""
    return _first(element, "title", "url", "name", "id")


def named(element: Any) -> str:
    """What variables and annotations are called."""
    return _first(element, "name", "title")


def _ref(element: Any) -> str:
    return _first(element, "refId")


def _property(element: Any) -> str:
    return _first(element, "id")


def _matcher(element: Any) -> str:
    """Whom an override is for: ``byName Temperature``."""
    matcher = element.get("matcher") if isinstance(element, dict) else None
    if not isinstance(matcher, dict):
        return "?"
    options = matcher.get("options", "")
    return f"{matcher.get('id', '?')} {options if isinstance(options, str) else json.dumps(options, sort_keys=True)}"


def _first(element: Any, *keys: str) -> str:
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


# panels ------------------------------------------------------------------------------------------

THRESHOLDS = {"mode": "absolute", "steps": [{"color": "green", "value": None}, {"color": "red", "value": 80}]}
_LEGEND = {"calcs": Spec(default=[]), "displayMode": "list", "placement": "bottom", "showLegend": True}
_TOOLTIP = {"mode": "single", "sort": "none"}
_REDUCE = {"calcs": Spec(default=["lastNotNull"]), "fields": "", "values": False}
_HIDDEN = {"legend": False, "tooltip": False, "viz": False}
_AXIS = {
    "axisBorderShow": False,
    "axisCenteredZero": False,
    "axisColorMode": "text",
    "axisLabel": "",
    "axisPlacement": "auto",
    "scaleDistribution": {"type": "linear"},
}
_TARGET = spec(
    {
        "datasource": WHOLE,
        "exemplar": False,
        "format": "time_series",
        "hide": False,
        "instant": False,
        "interval": "",
        "intervalFactor": 1,
    }
)


def _tidy_target(target: Any) -> Any:
    """A query of Prometheus is a range query unless it says otherwise."""
    if isinstance(target, dict) and target.get("range") is True and not target.get("instant"):
        return {key: value for key, value in target.items() if key != "range"}
    return target


def _options(options: Mapping[str, Any] | None = None, custom: Mapping[str, Any] | None = None) -> Spec:
    return spec({"options": options or {}, "fieldConfig": {"defaults": {"custom": custom or {}}}})


_PANEL = spec(
    {
        **dict.fromkeys(("id", "pluginVersion", "gridPos", "panels"), NOISE),
        "cacheTimeout": "",
        "collapsed": False,
        "datasource": WHOLE,
        "description": "",
        "fieldConfig": {
            "defaults": {
                "color": WHOLE,
                "custom": {},
                "links": Spec(name=titled),
                "mappings": Spec(default=[], whole=True),
                "thresholds": Spec(default=THRESHOLDS, whole=True),
            },
            "overrides": Spec(
                name=_matcher,
                element=spec(
                    {"matcher": WHOLE, "properties": Spec(name=_property, element=spec({"value": WHOLE, "id": NOISE}))}
                ),
            ),
        },
        "hideTimeOverride": False,
        "interval": "",
        "libraryPanel": {"meta": NOISE, "version": NOISE},
        "links": Spec(name=titled),
        "options": {},
        "repeatDirection": "h",
        "targets": Spec(name=_ref, element=Spec(known=True, members=_TARGET.members, tidy=_tidy_target)),
        "timeFrom": "",
        "timeShift": "",
        "title": "",
        "transformations": Spec(default=[]),
        "transparent": False,
    }
)
_OF_TYPE = {
    "timeseries": _options(
        {"legend": _LEGEND, "tooltip": _TOOLTIP},
        {
            **_AXIS,
            "barAlignment": 0,
            "barWidthFactor": 0.6,
            "drawStyle": "line",
            "fillOpacity": 0,
            "gradientMode": "none",
            "hideFrom": _HIDDEN,
            "insertNulls": False,
            "lineInterpolation": "linear",
            "lineWidth": 1,
            "pointSize": 5,
            "showPoints": "auto",
            "spanNulls": False,
            "stacking": {"group": "A", "mode": "none"},
            "thresholdsStyle": {"mode": "off"},
        },
    ),
    "stat": _options(
        {
            "colorMode": "value",
            "graphMode": "area",
            "justifyMode": "auto",
            "orientation": "auto",
            "percentChangeColorMode": "standard",
            "reduceOptions": _REDUCE,
            "showPercentChange": False,
            "textMode": "auto",
            "wideLayout": True,
        }
    ),
    "gauge": _options(
        {
            "minVizHeight": 75,
            "minVizWidth": 75,
            "orientation": "auto",
            "reduceOptions": _REDUCE,
            "showThresholdLabels": False,
            "showThresholdMarkers": True,
            "sizing": "auto",
        }
    ),
    "bargauge": _options(
        {
            "displayMode": "gradient",
            "maxVizHeight": 300,
            "minVizHeight": 16,
            "minVizWidth": 8,
            "namePlacement": "auto",
            "orientation": "auto",
            "reduceOptions": _REDUCE,
            "showUnfilled": True,
            "sizing": "auto",
            "valueMode": "color",
        }
    ),
    "table": _options({"cellHeight": "sm", "showHeader": True}, {"align": "auto", "inspect": False}),
    "state-timeline": _options(
        {"alignValue": "left", "mergeValues": True, "rowHeight": 0.9, "showValue": "auto"},
        {"fillOpacity": 70, "lineWidth": 0},
    ),
    "status-history": _options({"colWidth": 0.9, "rowHeight": 0.9}, {"fillOpacity": 70, "lineWidth": 1}),
}
_PANELS = {kind: merged(_PANEL, known) for kind, known in _OF_TYPE.items()}


def panel_spec(before: Mapping[str, Any], after: Mapping[str, Any]) -> Spec:
    """What is known of a panel's type; of both where the type changed."""
    kinds = [kind if isinstance(kind := panel.get("type"), str) else "" for panel in (before, after)]
    one, two = (_PANELS.get(kind, _PANEL) for kind in kinds)
    return one if one is two else merged(one, two)
