"""What is scraped for a configuration, and which labels it needs so that the profile finds its way.

Selectors are those of the charts: dcgm-exporter's and nvidia-gpu-exporter's set app.kubernetes.io/name, and so do
prometheus-node-exporter's and kube-state-metrics'.
"""

from __future__ import annotations

from builder.catalog.model import Profile
from builder.config import Config, resolve_profile
from builder.provisioning.scrape.model import NODE, Job, Relabel, pod_label

MOST = 15
"""Seconds between scrapes at most. Of an exporter that renews its values every 30 s, none is seen late."""

_APP = "app.kubernetes.io/name"
_CHARTS = {"dcgm-exporter": "dcgm-exporter", "nvidia_gpu_exporter": "nvidia-gpu-exporter"}
RANKS = 8
"""Training processes of a pod, one for each card of a usual node; each has a port named probe-N."""


def jobs(config: Config) -> tuple[Job, ...]:
    """The jobs: cards, training processes, hosts, and what Kubernetes says of its pods."""
    return (gpu(config), *training(config), *host(config))


def gpu(config: Config) -> Job:
    """The exporter of the cards."""
    profile, scrape = resolve_profile(config), config.scrape
    key, _, value = scrape.selector.partition("=")
    chosen = (key, value) if scrape.selector else (_APP, _CHARTS.get(profile.exporter, "gpu-exporter"))
    # An exporter that names no node is known by its target, which in Kubernetes is the address of a pod.
    target = "instance" if _known_by_instance(profile) else "node"
    return Job(
        "gpu",
        f"{profile.exporter}, profile {profile.name}",
        min(MOST, profile.interval),
        chosen,
        (scrape.port,),
        honor_labels=not _reads_exported(profile),
        relabel=(*_cluster(config), Relabel(target, (NODE,))),
    )


def training(config: Config) -> tuple[Job, ...]:
    """Training processes with the probe."""
    if config.training == "none":
        return ()
    version = config.scrape.model_version_label
    of_pod = (Relabel("model_version", (pod_label(version),)),) if version else ()
    # The probe's own word on the version counts for more than the pod's.
    own = (
        Relabel("model_version", ("exported_model_version",)),
        Relabel(regex="exported_model_version", action="labeldrop"),
    )
    return (
        Job(
            "training",
            "training processes with the probe",
            MOST,
            ("gpuboards.dev/probe", "true"),
            tuple(f"probe-{rank}" for rank in range(RANKS)),
            pods=True,
            workload=True,
            relabel=(*_cluster(config), Relabel("node", (NODE,)), *of_pod),
            after=own if version else (),
        ),
    )


def host(config: Config) -> tuple[Job, ...]:
    """node_exporter and kube-state-metrics, where the host side is wanted."""
    if config.host == "none":
        return ()
    return (
        Job(
            "node",
            "node_exporter",
            MOST,
            (_APP, "prometheus-node-exporter"),
            ("http-metrics", "metrics"),
            relabel=(*_cluster(config), Relabel("node", (NODE,))),
        ),
        # What it exposes is about other pods than its own, so their labels win.
        Job(
            "kube-state-metrics",
            "kube-state-metrics",
            30,
            (_APP, "kube-state-metrics"),
            ("http", "http-metrics"),
            honor_labels=True,
            relabel=_cluster(config),
            asks=False,
        ),
    )


def _cluster(config: Config) -> tuple[Relabel, ...]:
    return (Relabel("cluster", replacement=config.scrape.cluster),) if config.scrape.cluster else ()


def _known_by_instance(profile: Profile) -> bool:
    return [spelling.label for spelling in profile.labels.get("node", ())] == ["instance"]


def _reads_exported(profile: Profile) -> bool:
    """True where the profile knows the names that Prometheus gives to labels of the same name as the target's."""
    spelled = profile.labels.get("pod", ())
    return not spelled or any(spelling.label.startswith("exported_") for spelling in spelled)
