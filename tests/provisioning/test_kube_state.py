"""What kube-state-metrics is told, against what the host profile reads."""

from __future__ import annotations

import yaml

from builder.catalog.profiles import host
from builder.config import Config, parse
from builder.provisioning.kube_state import JOB_LABELS, exported, kube_state_files

PATH = "exporters/kube-state-metrics.yaml"


def test_the_labels_are_those_that_the_profile_reads() -> None:
    assert [exported(label) for label in JOB_LABELS] == [s.label for s in host.PROFILE.labels["job_name"]]


def test_the_labels_are_allowed() -> None:
    (allowed,) = yaml.safe_load(kube_state_files(Config())[PATH])["metricLabelsAllowlist"]
    assert allowed == "pods=[training.kubeflow.org/job-name,ray.io/cluster,model-version]"


def test_every_metric_of_the_profile_is_allowed() -> None:
    text = kube_state_files(Config())[PATH]
    line = next(line for line in text.splitlines() if "--metric-allowlist=" in line)
    read = {metric.name for each in host.PROFILE.signals.values() for metric in each}
    assert set(line.partition("=")[2].split(",")) == {name for name in read if name.startswith("kube_")}


def test_a_label_of_the_sites_own_and_none() -> None:
    own, none = (
        kube_state_files(parse(f"scrape: {{model_version_label: {label}}}", "f"))[PATH]
        for label in ("app.kubernetes.io/version", "''")
    )
    assert "ray.io/cluster,app.kubernetes.io/version]" in own
    assert "ray.io/cluster]" in none and "model-version" not in none
