"""The words of scraping: a job, and what is done to the labels of its targets."""

from __future__ import annotations

from dataclasses import dataclass

POD = "__meta_kubernetes_pod"


@dataclass(frozen=True)
class Relabel:
    """One step of relabelling, as Prometheus' configuration has it (relabel_config)."""

    target: str = ""
    source: tuple[str, ...] = ()
    regex: str = "(.+)"
    replacement: str = "$1"
    action: str = "replace"


@dataclass(frozen=True)
class Job:
    """Targets of one kind.

    ``selector`` is the label of pods that finds them in Kubernetes, and ``ports`` the names of their ports there.
    ``pods`` is True for a PodMonitor, False for a ServiceMonitor. ``honor_labels`` lets what is exposed win over the
    target's labels of the same name. ``relabel`` adds labels to a target found in Kubernetes, ``workload`` says that
    the pod scraped is the workload itself, so that its namespace, pod and container belong on the series, and
    ``after`` works on what was scraped. ``asks`` is True where the target may want a password or speak TLS.
    """

    name: str
    title: str
    interval: int
    selector: tuple[str, str]
    ports: tuple[str, ...]
    pods: bool = False
    honor_labels: bool = False
    workload: bool = False
    relabel: tuple[Relabel, ...] = ()
    after: tuple[Relabel, ...] = ()
    asks: bool = True

    @property
    def timeout(self) -> int:
        """Seconds that a scrape may take: never longer than the interval, which Prometheus refuses."""
        return min(10, self.interval)


NODE = f"{POD}_node_name"


def pod_label(key: str) -> str:
    """The name under which Prometheus finds a label of a pod: what is no letter or digit becomes _."""
    return f"{POD}_label_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in key)
