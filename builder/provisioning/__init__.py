"""The files around the boards: what Grafana, the other servers and the exporter are started with."""

from __future__ import annotations

from builder.config import Config
from builder.provisioning import compose, counters, grafana, servers
from builder.provisioning.alertmanager import alertmanager_files
from builder.provisioning.kube_state import kube_state_files
from builder.provisioning.scrape import scrape_files


def render(config: Config) -> dict[str, str]:
    """Text of every provisioning file, by path relative to the output directory.

    The directory is made to be mounted as /etc/grafana/provisioning; Grafana reads ``dashboards/`` and
    ``datasources/`` there, the other servers mount their own folder.
    """
    return {
        "dashboards/gpuboards.yaml": grafana.provider(config),
        "datasources/gpuboards.yaml": grafana.datasources(config),
        "compose.yaml": compose.services(),
        "prometheus/prometheus.yml": servers.prometheus(config),
        "loki/loki.yaml": servers.loki(),
        **alertmanager_files(config.alertmanager),
        **scrape_files(config),
        **counters.files(config),
        **kube_state_files(config),
    }
