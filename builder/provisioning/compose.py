"""A compose file that starts Grafana on this directory, with the servers that the boards read from."""

from __future__ import annotations

from typing import Any

from builder.provisioning.text import document

IMAGES = {
    "grafana": "grafana/grafana:12.2.0",
    "prometheus": "prom/prometheus:v3.5.0",
    # The last series whose image still has the wget that the health check runs (grafana/loki issue 20149).
    "loki": "grafana/loki:3.5.3",
    "alertmanager": "prom/alertmanager:v0.28.1",
}
_PASSWORD = "${GRAFANA_ADMIN_PASSWORD:?choose the password of the user admin}"


def services() -> str:
    """The compose file. Ports are open on this machine only, and there is no default password."""
    content = {
        "name": "gpuboards",
        "services": {
            "grafana": _service(
                "grafana",
                3000,
                "/api/health",
                environment={
                    "GF_SECURITY_ADMIN_PASSWORD": _PASSWORD,
                    "GF_AUTH_ANONYMOUS_ENABLED": "false",
                    "GF_USERS_ALLOW_SIGN_UP": "false",
                    "GF_ANALYTICS_REPORTING_ENABLED": "false",
                },
                volumes=["./:/etc/grafana/provisioning:ro", "grafana:/var/lib/grafana"],
                depends_on={name: {"condition": "service_healthy"} for name in ("prometheus", "loki")},
            ),
            "prometheus": _service(
                "prometheus",
                9090,
                "/-/ready",
                command=[
                    "--config.file=/etc/prometheus/prometheus.yml",
                    "--storage.tsdb.path=/prometheus",
                    "--storage.tsdb.retention.time=30d",
                ],
                volumes=["./prometheus:/etc/prometheus:ro", "prometheus:/prometheus"],
                # Exporters on this machine are reached as host.docker.internal.
                extra_hosts=["host.docker.internal:host-gateway"],
            ),
            "loki": _service(
                "loki",
                3100,
                "/ready",
                command=["-config.file=/etc/loki/loki.yaml"],
                volumes=["./loki:/etc/loki:ro", "loki:/loki"],
            ),
            "alertmanager": _service(
                "alertmanager",
                9093,
                "/-/ready",
                command=["--config.file=/etc/alertmanager/alertmanager.yml", "--storage.path=/alertmanager"],
                volumes=["./alertmanager:/etc/alertmanager:ro", "alertmanager:/alertmanager"],
            ),
        },
        "volumes": {name: {} for name in IMAGES},
    }
    return document(
        content,
        "Start:  GRAFANA_ADMIN_PASSWORD=... docker compose up --detach --wait",
        "Then:   http://127.0.0.1:3000, user admin",
    )


def _service(name: str, port: int, ready: str, **rest: Any) -> dict[str, Any]:
    return {
        "image": IMAGES[name],
        "restart": "unless-stopped",
        "security_opt": ["no-new-privileges:true"],
        "ports": [f"127.0.0.1:{port}:{port}"],
        **rest,
        "healthcheck": {
            "test": ["CMD", "wget", "-q", "-O", "/dev/null", f"http://127.0.0.1:{port}{ready}"],
            "interval": "10s",
            "timeout": "5s",
            "retries": 12,
            "start_period": "20s",
        },
    }
