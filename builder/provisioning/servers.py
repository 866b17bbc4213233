"""Small but complete configurations of Prometheus, Alertmanager and Loki, to start from."""

from __future__ import annotations

from builder.config import Config, resolve_profile
from builder.provisioning.text import document


def prometheus(config: Config) -> str:
    """Prometheus, which reads its targets from files of the site's own in prometheus/targets/."""
    profile = resolve_profile(config)
    content = {
        # Twice as often as a 30 s exporter renews its values, so that none is seen late.
        "global": {"scrape_interval": "15s", "scrape_timeout": "10s", "evaluation_interval": "30s"},
        "alerting": {"alertmanagers": [{"static_configs": [{"targets": ["alertmanager:9093"]}]}]},
        "rule_files": ["rules/*.yml"],
        "scrape_configs": [
            {"job_name": "prometheus", "static_configs": [{"targets": ["localhost:9090"]}]},
            *(_job(name) for name in ("gpu", "node", "training")),
        ],
    }
    return document(
        content,
        "Targets are files of your own beside this one, read again whenever they change:",
        f"  targets/gpu*.yml       - targets: ['host:{profile.port}']   ({profile.exporter})",
        "  targets/node*.yml      - targets: ['host:9100']   (node_exporter)",
        "  targets/training*.yml  - targets: ['host:9410']   (training processes)",
        "Rules are what `gpuboards rules build` writes to rules/; without them nothing is recorded and nobody is told.",
    )


def _job(name: str) -> dict[str, object]:
    return {"job_name": name, "file_sd_configs": [{"files": [f"targets/{name}*.yml"]}]}


def alertmanager() -> str:
    """Alertmanager with one receiver that tells nobody yet."""
    content = {
        "route": {
            "receiver": "default",
            "group_by": ["alertname", "cluster", "node"],
            "group_wait": "30s",
            "group_interval": "5m",
            "repeat_interval": "12h",
        },
        "receivers": [{"name": "default"}],
    }
    return document(
        content, "Alerts show in the web interface only, until a receiver names somebody to tell."
    )


def loki() -> str:
    """Loki in one process, on local disk, keeping logs for a month."""
    content = {
        "auth_enabled": False,
        "server": {"http_listen_port": 3100},
        "common": {
            "instance_addr": "127.0.0.1",
            "path_prefix": "/loki",
            "replication_factor": 1,
            "ring": {"kvstore": {"store": "inmemory"}},
            "storage": {"filesystem": {"chunks_directory": "/loki/chunks", "rules_directory": "/loki/rules"}},
        },
        "schema_config": {
            "configs": [
                {
                    "from": "2024-01-01",
                    "store": "tsdb",
                    "object_store": "filesystem",
                    "schema": "v13",
                    "index": {"prefix": "index_", "period": "24h"},
                }
            ]
        },
        "limits_config": {"retention_period": "744h"},
        "compactor": {
            "working_directory": "/loki/compactor",
            "retention_enabled": True,
            "delete_request_store": "filesystem",
        },
        "analytics": {"reporting_enabled": False},
    }
    return document(content)
