"""What absent means in a panel, and what in it is noise; see ``meaning``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from builder.diff.meaning import NOISE, WHOLE, first, titled
from builder.diff.tree import Spec, merged, spec


def _ref(element: Any) -> str:
    return first(element, "refId")


def _property(element: Any) -> str:
    return first(element, "id")


def _matcher(element: Any) -> str:
    """Whom an override is for: ``byName Temperature``."""
    matcher = element.get("matcher") if isinstance(element, dict) else None
    if not isinstance(matcher, dict):
        return "?"
    options = matcher.get("options", "")
    return f"{matcher.get('id', '?')} {options if isinstance(options, str) else json.dumps(options, sort_keys=True)}"


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
