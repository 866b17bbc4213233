"""What kube-state-metrics has to be told: by itself it exports no label of any pod.

Options: docs/developer/cli-arguments.md of github.com/kubernetes/kube-state-metrics; values: its Helm chart.
"""

from __future__ import annotations

import re

from builder.catalog.profiles import host
from builder.config import Config, resolve_profile
from builder.provisioning.text import document

JOB_LABELS = ("training.kubeflow.org/job-name", "ray.io/cluster")
"""The labels of pods that name a training job, as Kubernetes spells them."""


def exported(label: str) -> str:
    """How kube-state-metrics spells a label of pods."""
    return "label_" + re.sub(r"[^a-zA-Z0-9_]", "_", label)


def kube_state_files(config: Config) -> dict[str, str]:
    """The values of kube-state-metrics' chart by their path; none where the host side is not wanted."""
    if config.host == "none":
        return {}
    version = config.scrape.model_version_label
    labels = (*JOB_LABELS, version) if version else JOB_LABELS
    allowed = f"pods=[{','.join(dict.fromkeys(labels))}]"
    signals = resolve_profile(config, host.PROFILE.name).signals
    metrics = {metric.name for spellings in signals.values() for metric in spellings}
    wanted = ",".join(sorted(name for name in metrics if name.startswith("kube_")))
    return {
        "exporters/kube-state-metrics.yaml": document(
            {"metricLabelsAllowlist": [allowed]},
            "Values of the chart kube-state-metrics: helm upgrade ... --reuse-values --values <this file>",
            f"Without the chart: --metric-labels-allowlist={allowed}",
            "For a kube-state-metrics that serves nothing else:",
            f"  --metric-allowlist={wanted}",
        )
    }
