"""What Grafana assumes by itself, and need not be written.

grafanalib writes every setting, chosen or not. Left out are those that have the value which Grafana 10.4 to
13 give them (the defaults of ``@grafana/schema``): the files stay short, and a diff shows what was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder.grafana.panels.custom import CUSTOM

_NOWHERE_HIDDEN = {"legend": False, "tooltip": False, "viz": False}
_CUSTOM: Mapping[str, Mapping[str, Any]] = {
    "timeseries": {
        **{key: implied for _, key, implied in CUSTOM},
        "barAlignment": 0,
        "hideFrom": _NOWHERE_HIDDEN,
        "scaleDistribution": {"type": "linear"},
        "stacking": {},  # grafanalib's default, which says nothing
        "thresholdsStyle": {"mode": "off"},
    },
    "table": {"align": "auto", "filterable": False},
}
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "stat": {"justifyMode": "auto", "orientation": "auto", "textMode": "auto"},
    "table": {"sortBy": []},
}
_REDUCE = {"fields": "", "values": False}
_COLOURS = {"table": {"mode": "thresholds"}}


def without_implied(kind: str, custom: Mapping[str, Any]) -> dict[str, Any]:
    """The ``custom`` settings of a panel of this kind without those that Grafana assumes."""
    return _differing(custom, _CUSTOM.get(kind, {}))


def leave_out_implied(kind: str, defaults: dict[str, Any], options: dict[str, Any]) -> None:
    """Remove from field defaults and options, in place, what a panel of this kind does without being told."""
    custom = defaults.pop("custom", None)
    left = custom and without_implied(kind, custom)
    if left:
        defaults["custom"] = left
    if kind in _COLOURS and defaults.get("color") == _COLOURS[kind]:
        del defaults["color"]
    for key, implied in _OPTIONS.get(kind, {}).items():
        if options.get(key) == implied:
            del options[key]
    if "reduceOptions" in options:
        options["reduceOptions"] = _differing(options["reduceOptions"], _REDUCE)


def _differing(settings: Mapping[str, Any], implied: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key not in implied or implied[key] != value}
