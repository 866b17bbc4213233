"""A panel's links, once it is known which variables the board has and which selector finds the logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builder.grafana.links import Link
from builder.grafana.logs import LogSelector, explore_logs
from builder.grafana.panels.base import ModernPanel
from builder.grafana.query import LogsLink


@dataclass(frozen=True)
class Jumps:
    """Fills LogsLinks in, and takes variables that the board lacks off the links that would carry them.

    ``names`` maps canonical labels to variables, ``several`` are those of many values, ``absent`` those that
    the board does not have or that dropped out.
    """

    selector: LogSelector
    names: Mapping[str, str]
    several: Sequence[str]
    absent: Sequence[str] = ()

    def fill(self, panel: ModernPanel) -> ModernPanel:
        """The panel with its links as they are; those to logs are left out where the selector needs more."""
        columns = label_columns(panel)
        overrides = [self._in_override(override, columns) for override in panel.overrides]
        return panel.with_(
            links=self._in_list(panel.links, columns),
            data_links=self._in_list(panel.data_links, columns),
            overrides=[override for override in overrides if override is not None],
        )

    def _in_override(self, override: Any, columns: Sequence[str]) -> Any:
        properties = getattr(override, "properties", ())
        if not any(key == "links" for key, _ in properties):
            return override
        made = [(key, self._in_list(value, columns) if key == "links" else value) for key, value in properties]
        kept = tuple((key, value) for key, value in made if key != "links" or value)
        return replace(override, properties=kept) if kept else None

    def _in_list(self, links: Sequence[Any], columns: Sequence[str]) -> list[Any]:
        made = (self._to_logs(link, columns) if isinstance(link, LogsLink) else self._carried(link) for link in links)
        return [link for link in made if link is not None]

    def _carried(self, link: Any) -> Any:
        if not isinstance(link, Link):
            return link
        url = link.url
        for name in self.absent:
            url = url.replace(f"&${{{name}:queryparam}}", "")
        return replace(link, url=url)

    def _to_logs(self, link: LogsLink, columns: Sequence[str]) -> Link | None:
        if link.where == "variables":
            selector = self.selector.within(self.names)
            if selector is None:
                return None
            return explore_logs(selector, title=link.title, where="variables", sources=self.names, multi=self.several)
        if link.where == "fields" and not set(self.selector.fields) <= set(columns):
            return None
        return explore_logs(self.selector, title=link.title, where=link.where)


def label_columns(panel: ModernPanel) -> list[str]:
    """The label columns that a table shows, by their labels' names."""
    steps = [step.get("options", {}) for step in panel.transformations if step["id"] == "organize"]
    names = (name for options in steps for name in options.get("renameByName", {}))
    return [name for name in names if not name.startswith("Value #")]
