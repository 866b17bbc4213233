"""Jobs as Prometheus' own scrape_configs.

Keys: https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config.
"""

from __future__ import annotations

from typing import Any

from builder.config import Scrape
from builder.provisioning.scrape.model import POD, Job, Relabel, pod_label


def from_files(job: Job, scrape: Scrape) -> dict[str, Any]:
    """Targets are listed in files of the site's own; these say what node and pod a target is, where it matters."""
    # Without Kubernetes only what needs none of its metadata can be added.
    added = [relabel for relabel in job.relabel if not relabel.source]
    return {
        **_head(job, scrape),
        "file_sd_configs": [{"files": [f"targets/{job.name}*.yml"]}],
        **_relabelling(added, job.after),
    }


def in_kubernetes(job: Job, scrape: Scrape) -> dict[str, Any]:
    """Targets are the pods with the job's label, each of its named ports."""
    key, value = job.selector
    found = (
        Relabel(source=(pod_label(key),), regex=value.replace(".", r"\."), action="keep"),
        Relabel(source=(f"{POD}_container_port_name",), regex="|".join(job.ports), action="keep"),
        # A pod that is done answers no more, and is no target that is down.
        Relabel(source=(f"{POD}_phase",), regex="Succeeded|Failed", action="drop"),
    )
    workload = (
        Relabel("namespace", ("__meta_kubernetes_namespace",)),
        Relabel("pod", (f"{POD}_name",)),
        Relabel("container", (f"{POD}_container_name",)),
    )
    return {
        **_head(job, scrape),
        "kubernetes_sd_configs": [{"role": "pod"}],
        **_relabelling([*found, *(workload if job.workload else ()), *job.relabel], job.after),
    }


def _head(job: Job, scrape: Scrape) -> dict[str, Any]:
    return {
        "job_name": job.name,
        "scrape_interval": f"{job.interval}s",
        "scrape_timeout": f"{job.timeout}s",
        "honor_labels": job.honor_labels,
        **(_access(scrape) if job.asks else {}),
    }


def _access(scrape: Scrape) -> dict[str, Any]:
    """Who asks, and by which authority the target is known."""
    access: dict[str, Any] = {}
    if scrape.ca_file:
        access |= {"scheme": "https", "tls_config": {"ca_file": scrape.ca_file}}
    if scrape.username:
        access["basic_auth"] = {"username": scrape.username, "password_file": scrape.password_file}
    return access


def _relabelling(before: list[Relabel], after: tuple[Relabel, ...]) -> dict[str, Any]:
    steps = {"relabel_configs": before, "metric_relabel_configs": after}
    return {key: [_step(relabel) for relabel in each] for key, each in steps.items() if each}


def _step(relabel: Relabel) -> dict[str, Any]:
    step: dict[str, Any] = {"source_labels": list(relabel.source)} if relabel.source else {}
    if relabel.source or relabel.action != "replace":
        step["regex"] = relabel.regex
    if relabel.action == "replace":
        return {**step, "target_label": relabel.target, "replacement": relabel.replacement}
    return {**step, "action": relabel.action}
