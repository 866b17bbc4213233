"""Grafana-managed alerting rules, as a file of Grafana's provisioning directory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from builder.config import Config
from builder.provisioning.text import document, literal
from builder.rules.grafana_managed import alert_rules
from builder.rules.model import Group


def grafana_alerting_files(groups: Iterable[Group], config: Config) -> dict[str, str]:
    """Text of the file by its path from the output directory; Grafana reads it when it starts, or is told to reload."""
    content = alert_rules(groups, datasource=config.datasources.prometheus.uid, folder=config.folder.title)
    return {"alerting/gpuboards.yaml": document(_escaped(content))}


def _escaped(content: dict[str, Any]) -> dict[str, Any]:
    """Dollars doubled where Grafana expands variables: everywhere but in queries and annotations."""
    return {
        **content,
        "groups": [
            {
                **{key: literal(value) for key, value in group.items() if key != "rules"},
                "rules": [
                    {key: value if key in ("data", "annotations") else literal(value) for key, value in rule.items()}
                    for rule in group["rules"]
                ],
            }
            for group in content["groups"]
        ],
    }
