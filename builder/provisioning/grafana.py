"""Grafana's provider and data source files.

Keys: https://grafana.com/docs/grafana/latest/administration/provisioning/
"""

from __future__ import annotations

from typing import Any

from builder.config import Config, Datasource, resolve_profile
from builder.provisioning.text import document, literal


def provider(config: Config) -> str:
    """The dashboard provider: where Grafana finds the boards and which folder shows them."""
    how = config.provider
    content = {
        "name": how.name,
        "type": "file",
        "folder": config.folder.title,
        "folderUid": config.folder.uid,
        "disableDeletion": how.disable_deletion,
        "allowUiUpdates": how.allow_ui_updates,
        "updateIntervalSeconds": how.update_interval_seconds,
        "options": {"path": how.path},
    }
    return document({"apiVersion": 1, "providers": [literal(content)]})


def datasources(config: Config) -> str:
    """The data sources. ``timeInterval`` makes $__rate_interval wide enough for slow exporters."""
    interval = resolve_profile(config).interval
    metrics = _datasource(
        config.datasources.prometheus,
        "prometheus",
        {
            # POST, because the expressions can be longer than a URL may be.
            "httpMethod": "POST",
            "prometheusType": "Prometheus",
            "timeInterval": f"{interval}s",
        },
    )
    logs = _datasource(config.datasources.loki, "loki", {"maxLines": "1000"})
    return document({"apiVersion": 1, "datasources": [literal(metrics), literal(logs)]})


def _datasource(source: Datasource, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": source.name,
        "uid": source.uid,
        "type": kind,
        "access": "proxy",
        "url": source.url,
        "editable": False,
        "jsonData": options,
    }
