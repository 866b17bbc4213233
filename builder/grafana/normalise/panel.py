"""Stock panels, one converter a panel type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from builder.errors import DefinitionError
from builder.grafana.normalise import fields
from builder.grafana.normalise.graph import graph_to_timeseries
from builder.grafana.normalise.heatmap import convert_heatmap
from builder.grafana.normalise.lists import convert_alert_list, convert_dashboard_list, convert_news
from builder.grafana.normalise.single import convert_bar_gauge, convert_gauge, pie_to_piechart, single_to_stat
from builder.grafana.normalise.target import clean_target
from builder.grafana.panels.base import PLUGIN_VERSION, with_ref_ids
from builder.grafana.plain import to_plain

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

_KEYS = (
    "type",
    "id",
    "title",
    "description",
    "gridPos",
    "datasource",
    "targets",
    "transformations",
    "options",
    "fieldConfig",
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
)
_ROW_KEYS = ("type", "id", "title", "gridPos", "collapsed", "panels", "repeat")
_OMITTED_WHEN_EMPTY = (
    "description",
    "links",
    "targets",
    "transformations",
    "transparent",
    "interval",
    "hideTimeOverride",
    "repeat",
)
_STOCK_MAX_DATA_POINTS = 100  # grafanalib's default, which makes every graph coarse
_NO_QUERIES = ("text", "news", "dashlist", "alertlist", "row")


def clean_panel(panel: Any, datasource: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON of any panel (or its JSON as grafanalib makes it) as Grafana 10.4 to 13 read it.

    ``datasource`` is used where the panel names none. Raises DefinitionError for panels of plug-ins that no
    longer exist.
    """
    data: dict[str, Any] = to_plain(panel)
    kind = data.get("type", "")
    where = f'{kind} "{data.get("title", "")}"'
    if kind in _DEAD:
        raise DefinitionError(f"Grafana has no panel {kind} any more", where=where, fix=f"use {_DEAD[kind]}")
    if kind == "row":
        return _clean_row(data, datasource)
    if kind in _CONVERT:
        try:
            _CONVERT[kind](data)
        except DefinitionError as error:
            raise error.at(where) from None
    _clean_fields(data)
    _clean_queries(data, datasource)
    data.setdefault("pluginVersion", PLUGIN_VERSION)
    if data.get("maxDataPoints") == _STOCK_MAX_DATA_POINTS:
        del data["maxDataPoints"]
    if not data.get("repeat"):
        data.pop("repeatDirection", None)
        data.pop("maxPerRow", None)
    made = {
        key: data[key] for key in _KEYS if data.get(key) is not None and (data[key] or key not in _OMITTED_WHEN_EMPTY)
    }
    for key in ("links", "transformations"):
        if key in made:
            made[key] = fields.without_nulls(made[key])
    return made


def _clean_row(data: Mapping[str, Any], datasource: Mapping[str, str] | None) -> dict[str, Any]:
    row = {key: data[key] for key in _ROW_KEYS if data.get(key) is not None}
    row["panels"] = [clean_panel(child, datasource) for child in data.get("panels", [])]
    row["collapsed"] = bool(row["panels"]) or bool(row.get("collapsed"))
    return row


def _clean_fields(data: dict[str, Any]) -> None:
    config = data.get("fieldConfig") or {}
    raw = config.get("defaults") or {}
    steps = raw.pop("thresholds", None) or {}
    mapped = raw.pop("mappings", None) or []
    if data["type"] == "table":
        _clean_table(data, raw)
        mapped = mapped or data.get("mappings") or []
    defaults = fields.without_nulls(raw)
    for key in ("unit", "links"):
        if not defaults.get(key):
            defaults.pop(key, None)
    custom = defaults.get("custom", {})
    if not custom.get("stacking", {"mode": ""}):
        del custom["stacking"]
    scale = custom.get("scaleDistribution", {})
    if scale.get("type") == "linear":
        custom["scaleDistribution"] = {"type": "linear"}
    if not custom:
        defaults.pop("custom", None)
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
    data["fieldConfig"] = {"defaults": defaults, "overrides": fields.overrides(config.get("overrides") or [])}
    options = fields.without_nulls(data.get("options") or {})
    if "legend" in options and "displayMode" in options["legend"]:
        options["legend"] = fields.legend(options["legend"])
    if data["type"] == "text" and options.get("mode") == "text":
        options["mode"] = "code"  # plain text went with Grafana 9; code shows it as it is
    data["options"] = options


def _clean_table(data: dict[str, Any], defaults: dict[str, Any]) -> None:
    custom = defaults.get("custom", {})
    mode = custom.pop("displayMode", "auto")
    if mode != "auto":
        custom.setdefault("cellOptions", fields.cell(mode))
    if data.get("color"):
        defaults.setdefault("color", data["color"])


def _clean_queries(data: dict[str, Any], datasource: Mapping[str, str] | None) -> None:
    if data["type"] in _NO_QUERIES:
        data.pop("datasource", None)
        data.pop("targets", None)
        return
    plugin = "loki" if data["type"] == "logs" else "prometheus"
    reference = fields.datasource_ref(data.pop("datasource", None), plugin)
    targets = data.get("targets") or []
    if reference is None and targets and datasource is not None:
        reference = dict(datasource)
    if reference is not None:
        data["datasource"] = reference
        if reference["type"] in ("prometheus", "loki"):
            plugin = reference["type"]
    data["targets"] = with_ref_ids([clean_target(target, plugin) for target in targets])
