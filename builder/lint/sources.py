"""Data sources: which plugin a query goes to, and whether the choice is left to the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from builder.lint.model import Variable
from builder.lint.shape import below, text
from builder.promql.substitute import REFERENCE

BUILT_IN = frozenset(
    ("-- Grafana --", "-- Mixed --", "-- Dashboard --", "grafana", "__expr__", "-- Expression --", "default")
)
"""Sources that are part of Grafana itself."""

_PROMETHEUS = ("prometheus", "grafana-amazonprometheus-datasource", "grafana-azureprometheus-datasource")
_LANGUAGES = {**dict.fromkeys(_PROMETHEUS, "prometheus"), "loki": "loki"}


class Sources:
    """The data sources that a dashboard's variables and inputs stand for."""

    def __init__(self, variables: Sequence[Variable], inputs: Sequence[Any]) -> None:
        self._plugins = {v.name: v.query for v in variables if v.type == "datasource"}
        self._plugins |= {
            text(below(given, "name")): text(below(given, "pluginId")) for given in inputs if below(given, "name")
        }

    def language(self, query: Mapping[str, Any], panel: Mapping[str, Any]) -> str:
        """What a query is written in: prometheus, loki, or another plugin's id."""
        for source in (query.get("datasource"), panel.get("datasource")):
            plugin = self._plugin(source)
            if plugin and plugin not in BUILT_IN:
                return _LANGUAGES.get(plugin, plugin)
            if plugin == "__expr__":
                return plugin
        return "prometheus" if isinstance(query.get("expr"), str) else "unknown"

    def _plugin(self, source: Any) -> str:
        if isinstance(source, Mapping):
            uid = text(source.get("uid"))
            return uid if uid in BUILT_IN else text(source.get("type")) or self._plugin(uid)
        name = text(source)
        if name in BUILT_IN:
            return name
        if held := held_in(name):
            return self._plugins.get(held, "")
        return next((plugin for plugin in ("loki", "tempo", "influx") if plugin in name.lower()), "")


def uid_of(source: Any) -> str:
    """The uid or name of a data source reference; empty for the default one."""
    return text(source.get("uid")) if isinstance(source, Mapping) else text(source)


def held_in(uid: str) -> str:
    """The variable that a reference consists of, or nothing."""
    match = REFERENCE.fullmatch(uid)
    return (match["plain"] or match["bracket"] or match["brace"]) if match else ""
