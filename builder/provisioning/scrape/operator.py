"""Jobs as ServiceMonitor and PodMonitor of the Prometheus operator.

Fields: Documentation/api-reference/api.md of github.com/prometheus-operator/prometheus-operator. The operator itself
adds namespace, pod and container of what is scraped.
"""

from __future__ import annotations

from typing import Any

from builder.config import Scrape
from builder.provisioning.scrape.model import Job, Relabel


def monitor(job: Job, scrape: Scrape) -> dict[str, Any]:
    """The monitor of a job, in all namespaces."""
    key, value = job.selector
    endpoints = "podMetricsEndpoints" if job.pods else "endpoints"
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor" if job.pods else "ServiceMonitor",
        "metadata": {
            "name": f"gpuboards-{job.name}",
            "namespace": scrape.namespace,
            "labels": {
                "app.kubernetes.io/managed-by": "gpuboards",
                **({"release": scrape.release} if scrape.release else {}),
            },
        },
        "spec": {
            "namespaceSelector": {"any": True},
            "selector": {"matchLabels": {key: value}},
            endpoints: [_endpoint(job, port, scrape) for port in job.ports],
        },
    }


def _endpoint(job: Job, port: str, scrape: Scrape) -> dict[str, Any]:
    steps = {"relabelings": job.relabel, "metricRelabelings": job.after}
    return {
        "port": port,
        "interval": f"{job.interval}s",
        "scrapeTimeout": f"{job.timeout}s",
        "honorLabels": job.honor_labels,
        **(_access(scrape) if job.asks else {}),
        **{key: [_step(relabel) for relabel in each] for key, each in steps.items() if each},
    }


def _access(scrape: Scrape) -> dict[str, Any]:
    """Who asks, and by which authority the target is known; the files' contents are keys of the secret."""

    def key(name: str) -> dict[str, str]:
        return {"name": scrape.secret, "key": name}

    access: dict[str, Any] = {}
    if scrape.ca_file:
        access |= {"scheme": "https", "tlsConfig": {"ca": {"secret": key("ca.crt")}}}
    if scrape.username:
        access["basicAuth"] = {"username": key("username"), "password": key("password")}
    return access


def _step(relabel: Relabel) -> dict[str, Any]:
    step: dict[str, Any] = {"sourceLabels": list(relabel.source)} if relabel.source else {}
    if relabel.source or relabel.action != "replace":
        step["regex"] = relabel.regex
    if relabel.action == "replace":
        return {**step, "targetLabel": relabel.target, "replacement": relabel.replacement}
    return {**step, "action": relabel.action}
