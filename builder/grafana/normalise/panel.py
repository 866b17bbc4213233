"""Stock panels, one converter a panel type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from builder.errors import DefinitionError, cut, short, titled
from builder.grafana.names import variable_named
from builder.grafana.normalise import fields
from builder.grafana.normalise.graph import graph_to_timeseries
from builder.grafana.normalise.heatmap import convert_heatmap
from builder.grafana.normalise.implied import leave_out_implied, without_implied
from builder.grafana.normalise.lists import convert_alert_list, convert_dashboard_list, convert_news
from builder.grafana.normalise.single import convert_bar_gauge, convert_gauge, pie_to_piechart, single_to_stat
from builder.grafana.normalise.target import clean_target
from builder.grafana.panels.base import PLUGIN_VERSION, with_ref_ids
from builder.grafana.plain import SCALARS, to_plain, without_nulls

_DEAD = {
    "natel-discrete-panel": "StateTimeline",
    "flant-statusmap-panel": "StatusHistory",
    "grafana-worldmap-panel": "a Table, or Grafana's own geomap panel",
    "marcuscalidus-svg-panel": "Text with mode html, or Grafana's own canvas panel",
    "larona-epict-panel": "Text with mode html, or Grafana's own canvas panel",
}

_CONVERT: dict[str, Callable[[dict[str, Any]], None]] = {
    "graph": graph_to_timeseries,
    "singlestat": single_to_stat,
    "grafana-piechart-panel": pie_to_piechart,
    "gauge": convert_gauge,
    "bargauge": convert_bar_gauge,
    "heatmap": convert_heatmap,
    "alertlist": convert_alert_list,
    "dashlist": convert_dashboard_list,
    "news": convert_news,
}

_KEPT = frozenset(
    {
        "type",
        "id",
        "title",
        "description",
        "gridPos",
        "transformations",
        "pluginVersion",
        "links",
        "transparent",
        "interval",
        "maxDataPoints",
        "timeFrom",
        "timeShift",
        "hideTimeOverride",
        "repeat",
        "repeatDirection",
        "maxPerRow",
        "cacheTimeout",
        "queryCachingTTL",
        "libraryPanel",
    }
)
_ROW_KEYS = ("type", "id", "title", "gridPos", "collapsed", "repeat")
_OMITTED_WHEN_EMPTY = frozenset(
    {
        "description",
        "links",
        "targets",
        "transformations",
        "transparent",
        "interval",
        "hideTimeOverride",
        "repeat",
    }
)
_STOCK_MAX_DATA_POINTS = 100  # grafanalib's default, which makes every graph coarse
_APART = ("thresholds", "mappings", "custom")
_NO_QUERIES = ("text", "news", "dashlist", "alertlist", "row")


def clean_panel(panel: Any, datasource: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON of any panel (or its JSON as grafanalib makes it) as Grafana 10.4 to 13 read it.

    ``datasource`` is used where the panel names none. Raises DefinitionError for panels of plug-ins that no
    longer exist, and for what is no panel at all.
    """
    data = _as_dict(panel)
    kind = data.get("type", "")
    if not kind or not isinstance(kind, str) or not isinstance(data.get("title") or "", str):
        raise DefinitionError(f"{short(panel)} is not a panel", fix="it needs a type, and a text for its title")
    try:
        return _cleaned(data, kind, datasource)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # grafanalib takes most values unseen, so anything can be in there.
        what = f"something in it is no panel JSON ({type(error).__name__}: {cut(str(error))})"
        raise DefinitionError(what, where=_where(data), fix="look for a value of the wrong type") from error


def _cleaned(data: dict[str, Any], kind: str, datasource: Mapping[str, str] | None) -> dict[str, Any]:
    if kind in _DEAD:
        raise DefinitionError(f"Grafana has no panel {kind} any more", where=_where(data), fix=f"use {_DEAD[kind]}")
    if kind == "row":
        return _clean_row(data, datasource)
    if kind in _CONVERT:
        data = to_plain(data)
        try:
            _CONVERT[kind](data)
        except DefinitionError as error:
            raise error.at(_where(data)) from None
    made = {
        key: value if value.__class__ in SCALARS else without_nulls(value)
        for key, value in data.items()
        if (value or (value is not None and key not in _OMITTED_WHEN_EMPTY)) and key in _KEPT
    }
    made["fieldConfig"], made["options"] = _fields_and_options(data)
    if data["type"] not in _NO_QUERIES:
        made.update(_queries(data, datasource))
    made.setdefault("pluginVersion", PLUGIN_VERSION)
    if made.get("maxDataPoints") == _STOCK_MAX_DATA_POINTS:
        del made["maxDataPoints"]
    if "repeat" in made:
        made["repeat"] = variable_named(made["repeat"])
    else:
        made.pop("repeatDirection", None)
        made.pop("maxPerRow", None)
    return made


def _where(data: Mapping[str, Any]) -> str:
    return titled(data.get("type", ""), data.get("title") or "")


def _as_dict(panel: Any) -> dict[str, Any]:
    convert = getattr(panel, "to_json_data", None)
    data = panel if convert is None else convert()
    if not isinstance(data, Mapping):
        fix = "TimeSeries(...), Stat(...), or another panel of grafanalib"
        raise DefinitionError(f"{short(panel)} is not a panel", fix=fix)
    if "id" in data and "gridPos" in data:
        return data if isinstance(data, dict) else dict(data)
    # Where grafanalib was not asked for a place and an id, as with a class of the author's own, they are attributes.
    own = {key: value for key in ("id", "gridPos") if (value := getattr(panel, key, None)) is not None}
    return {**own, **data}


def _clean_row(data: Mapping[str, Any], datasource: Mapping[str, str] | None) -> dict[str, Any]:
    row: dict[str, Any] = to_plain({key: data[key] for key in _ROW_KEYS if data.get(key) is not None})
    row["panels"] = [clean_panel(child, datasource) for child in data.get("panels", [])]
    row["collapsed"] = bool(row["panels"]) or bool(row.get("collapsed"))
    if "repeat" in row:
        row["repeat"] = variable_named(row["repeat"])
    return row


def _fields_and_options(data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    config = data.get("fieldConfig") or {}
    raw = config.get("defaults") or {}
    # The value of the first step is null and must stay; so must an open end of a mapped range.
    steps, mapped = raw.get("thresholds") or {}, raw.get("mappings") and to_plain(raw["mappings"])
    defaults = {
        key: value if value.__class__ in SCALARS else without_nulls(value)
        for key, value in raw.items()
        if value is not None and key not in _APART
    }
    if raw.get("custom"):
        # Most of it is implied; what is left out need not be copied first.
        defaults["custom"] = without_nulls(without_implied(data["type"], raw["custom"]))
    if data["type"] == "table":
        _clean_table(data, defaults)
        mapped = mapped or to_plain(data.get("mappings"))
    for key in ("unit", "links"):
        if not defaults.get(key):
            defaults.pop(key, None)
    custom = defaults.get("custom")
    if custom and custom.get("scaleDistribution", {}).get("type") == "linear":
        custom["scaleDistribution"] = {"type": "linear"}
    color = defaults.get("color")
    if isinstance(color, str):
        defaults["color"] = {"mode": "fixed", "fixedColor": color}
    elif isinstance(color, dict) and color.get("mode") != "fixed":
        color.pop("fixedColor", None)
    made = fields.thresholds(steps.get("steps"), steps.get("mode") or "absolute")
    if made is not None:
        defaults["thresholds"] = made
    if mapped:
        defaults["mappings"] = fields.mappings(mapped)
    options = without_nulls(data.get("options") or {})
    if "legend" in options and "displayMode" in options["legend"]:
        options["legend"] = fields.legend(options["legend"])
    if data["type"] == "text" and options.get("mode") == "text":
        options["mode"] = "code"  # plain text went with Grafana 9; code shows it as it is
    leave_out_implied(data["type"], defaults, options)
    return {"defaults": defaults, "overrides": fields.overrides(config.get("overrides") or [])}, options


def _clean_table(data: Mapping[str, Any], defaults: dict[str, Any]) -> None:
    custom = defaults.get("custom", {})
    mode = custom.pop("displayMode", "auto")
    if mode != "auto":
        custom.setdefault("cellOptions", fields.cell(mode))
    if data.get("color"):
        defaults.setdefault("color", to_plain(data["color"]))


def _queries(data: Mapping[str, Any], datasource: Mapping[str, str] | None) -> dict[str, Any]:
    """Data source and queries, as members of the panel."""
    plugin = "loki" if data["type"] == "logs" else "prometheus"
    reference = fields.datasource_ref(data.get("datasource"), plugin)
    targets = data.get("targets") or []
    if reference is None and targets and datasource is not None:
        reference = dict(datasource)
    made: dict[str, Any] = {}
    if reference is not None:
        made["datasource"] = reference
        if reference["type"] in ("prometheus", "loki"):
            plugin = reference["type"]
    if targets:
        made["targets"] = with_ref_ids([clean_target(target, plugin) for target in targets])
    return made
