"""What is scraped, judged by promtool: which targets are kept, and which labels their series get."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, Scrape, parse
from builder.errors import ConfigError
from builder.provisioning import render
from builder.provisioning.scrape.jobs import jobs
from tests.provisioning.operator_schema import MONITOR

PLAIN = Config()
SECURE = parse(
    """
scrape:
  cluster: west-1
  username: prometheus
  password_file: /etc/prometheus/secrets/scrape
  ca_file: /etc/prometheus/ca.pem
  release: kube-prometheus-stack
""",
    "gpuboards.yaml",
)
CONFIGS = [replace(config, profile=name) for name in GPU_PROFILES for config in (PLAIN, SECURE)]
NAMES = [f"{config.profile}{'-secure' if config.scrape.username else ''}" for config in CONFIGS]

promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed (Debian package prometheus)"
)


def documents(config: Config, path: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(render(config)[path]))


def in_kubernetes(config: Config) -> dict[str, dict[str, Any]]:
    (fragment,) = documents(config, "prometheus/scrape/kubernetes.yml")
    return {job["job_name"]: job for job in fragment["scrape_configs"]}


def monitors(config: Config) -> dict[str, dict[str, Any]]:
    paths = [path for path in render(config) if path.startswith("prometheus/operator/")]
    return {monitor["metadata"]["name"]: monitor for path in paths for monitor in documents(config, path)}


def endpoints(monitor: dict[str, Any]) -> list[dict[str, Any]]:
    spec = monitor["spec"]
    found: list[dict[str, Any]] = spec["podMetricsEndpoints" if monitor["kind"] == "PodMonitor" else "endpoints"]
    return found


# promtool's judgement --------------------------------------------------------------------------


def checked(*arguments: str) -> str:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@promtool
@pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
def test_prometheus_takes_the_fragments(config: Config, tmp_path: Path) -> None:
    """Debian's promtool is built without the discovery of Kubernetes, so files stand in for it."""
    fragment = in_kubernetes(config)
    found = [job.pop("kubernetes_sd_configs") for job in fragment.values()]
    assert found == [[{"role": "pod"}]] * len(fragment)
    content = {"scrape_configs": [{**job, "file_sd_configs": [{"files": ["x.yml"]}]} for job in fragment.values()]}
    (tmp_path / "fragment.yml").write_text(yaml.safe_dump(content))
    checked("check", "config", "--syntax-only", str(tmp_path / "fragment.yml"))
    (tmp_path / "prometheus.yml").write_text(render(config)["prometheus/prometheus.yml"])
    checked("check", "config", "--syntax-only", str(tmp_path / "prometheus.yml"))


def discovered(job: dict[str, Any], targets: Sequence[dict[str, str]], directory: Path) -> list[dict[str, str]]:
    """The labels that each target found in Kubernetes with such metadata gets; none where it is dropped."""
    kept = {key: value for key, value in job.items() if key not in ("kubernetes_sd_configs", "tls_config", "basic_auth")}
    found = [{"targets": [f"10.0.0.{n}:9400"], "labels": labels} for n, labels in enumerate(targets)]
    file = directory / "prometheus.yml"
    file.write_text(yaml.safe_dump({"scrape_configs": [{**kept, "static_configs": found}]}))
    said = checked("check", "service-discovery", "--timeout=2s", str(file), job["job_name"])
    results = {each["discoveredLabels"]["__address__"]: each["labels"] or {} for each in json.loads(said[said.index("[") :])}
    return [results[f"10.0.0.{n}:9400"] for n in range(len(targets))]


def pod(node: str = "node-17", **more: str) -> dict[str, str]:
    meta = {"pod_node_name": node, "pod_name": "exporter-x7", "namespace": "monitoring", "pod_container_name": "main"}
    return {f"__meta_kubernetes_{key}": value for key, value in {**meta, **more}.items()}


@promtool
@pytest.mark.parametrize(
    ("profile", "app", "expected"),
    [
        ("dcgm", "dcgm-exporter", {"node": "node-17", "instance": "10.0.0.0:9400"}),
        ("nvidia-smi", "nvidia-gpu-exporter", {"instance": "node-17"}),
        ("nv-gpu", "gpu-exporter", {"instance": "node-17"}),
    ],
)
def test_a_card_is_known_by_its_node(profile: str, app: str, expected: dict[str, str], tmp_path: Path) -> None:
    job = in_kubernetes(replace(SECURE, profile=profile))["gpu"]
    found = pod(pod_label_app_kubernetes_io_name=app, pod_container_port_name="metrics")
    (labels,) = discovered(job, [found], tmp_path)
    assert labels["cluster"] == "west-1" and labels["job"] == "gpu"
    assert {name: labels[name] for name in expected} == expected
    assert "pod" not in labels, "the exporter's own pod would hide the workload's"


@promtool
def test_what_is_no_exporter_is_dropped(tmp_path: Path) -> None:
    exporter = {"pod_label_app_kubernetes_io_name": "dcgm-exporter", "pod_container_port_name": "metrics"}
    app = {**exporter, "pod_label_app_kubernetes_io_name": "node-exporter"}
    port = {**exporter, "pod_container_port_name": "web"}
    over = {**exporter, "pod_phase": "Failed"}
    found = discovered(in_kubernetes(PLAIN)["gpu"], [pod(**each) for each in (exporter, app, port, over)], tmp_path)
    assert [bool(labels) for labels in found] == [True, False, False, False]


@promtool
def test_a_training_process_brings_its_pod_and_the_version_of_its_model(tmp_path: Path) -> None:
    found = pod(
        pod_label_gpuboards_dev_probe="true", pod_container_port_name="probe-3", pod_label_model_version="v7"
    )
    (labels,) = discovered(in_kubernetes(SECURE)["training"], [found], tmp_path)
    wanted = ("cluster", "node", "namespace", "pod", "container", "model_version")
    assert [labels[name] for name in wanted] == ["west-1", "node-17", "monitoring", "exporter-x7", "main", "v7"]


def test_the_probes_own_version_counts_for_more() -> None:
    for steps in (
        in_kubernetes(PLAIN)["training"]["metric_relabel_configs"],
        [{**s} for s in endpoints(monitors(PLAIN)["gpuboards-training"])[0]["metricRelabelings"]],
    ):
        assert [step.get("target_label") or step.get("targetLabel") for step in steps] == ["model_version", None]
        assert steps[1] == {"regex": "exported_model_version", "action": "labeldrop"}


# labels that collide ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "honored"),
    [("dcgm", False), ("dcgm-4.9", False), ("nvidia-smi", False), ("nv-gpu", True), ("nvidia-gpu", False)],
)
def test_exposed_labels_win_where_the_profile_knows_no_other_names(profile: str, honored: bool) -> None:
    config = replace(PLAIN, profile=profile)
    assert in_kubernetes(config)["gpu"]["honor_labels"] is honored
    assert all(endpoint["honorLabels"] is honored for endpoint in endpoints(monitors(config)["gpuboards-gpu"]))


def test_what_kube_state_metrics_says_is_about_other_pods() -> None:
    assert in_kubernetes(PLAIN)["kube-state-metrics"]["honor_labels"] is True


# intervals, passwords, TLS ---------------------------------------------------------------------


@pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
def test_no_scrape_takes_longer_than_its_interval(config: Config) -> None:
    for job in jobs(config):
        assert 0 < job.timeout <= job.interval <= 30, job.name


def test_a_password_and_an_authority_are_files_or_keys_of_a_secret() -> None:
    plain, secure = in_kubernetes(PLAIN), in_kubernetes(SECURE)
    for name in ("gpu", "training", "node"):
        assert not {"scheme", "basic_auth", "tls_config"} & plain[name].keys()
        assert secure[name]["scheme"] == "https"
        assert secure[name]["basic_auth"] == {
            "username": "prometheus",
            "password_file": "/etc/prometheus/secrets/scrape",
        }
        assert secure[name]["tls_config"] == {"ca_file": "/etc/prometheus/ca.pem"}
    for name in ("gpuboards-gpu", "gpuboards-training"):
        for endpoint in endpoints(monitors(SECURE)[name]):
            assert endpoint["basicAuth"]["password"] == {"name": "gpuboards-scrape", "key": "password"}
            assert endpoint["tlsConfig"] == {"ca": {"secret": {"name": "gpuboards-scrape", "key": "ca.crt"}}}
    assert "basic_auth" not in secure["kube-state-metrics"]


@pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
def test_monitors_have_the_fields_that_the_operator_knows(config: Config) -> None:
    found = monitors(config)
    assert found.keys() == {f"gpuboards-{job.name}" for job in jobs(config)}
    for monitor in found.values():
        jsonschema.validate(monitor, MONITOR)
        assert monitor["metadata"]["namespace"] == "monitoring"
        assert monitor["metadata"]["labels"].get("release", "") == config.scrape.release


@pytest.mark.parametrize("config", CONFIGS, ids=NAMES)
def test_the_operator_and_prometheus_are_told_the_same(config: Config) -> None:
    """But for what the operator does by itself: it finds the pods, and adds the workload's labels."""
    own = {"namespace", "pod", "container"}
    for name, job in in_kubernetes(config).items():
        steps = [step for step in job.get("relabel_configs", []) if step.get("target_label", "") not in ("", *own)]
        for endpoint in endpoints(monitors(config)[f"gpuboards-{name}"]):
            assert (endpoint["interval"], endpoint["scrapeTimeout"]) == (job["scrape_interval"], job["scrape_timeout"])
            told = [
                (s.get("sourceLabels", []), s["targetLabel"], s["replacement"]) for s in endpoint.get("relabelings", [])
            ]
            assert told == [(s.get("source_labels", []), s["target_label"], s["replacement"]) for s in steps]


def test_what_is_not_wanted_is_not_scraped() -> None:
    bare = parse("training: none\nhost: none", "f")
    assert in_kubernetes(bare).keys() == {"gpu"}
    assert monitors(bare).keys() == {"gpuboards-gpu"}
    assert "exporters/kube-state-metrics.yaml" not in render(bare)


def test_an_exporter_with_another_label() -> None:
    config = parse("scrape: {selector: app=nvidia-dcgm-exporter, port: gpu-metrics, namespace: gpu-operator}", "f")
    monitor = monitors(config)["gpuboards-gpu"]
    assert monitor["spec"]["selector"] == {"matchLabels": {"app": "nvidia-dcgm-exporter"}}
    assert monitor["metadata"]["namespace"] == "gpu-operator"
    (endpoint,) = endpoints(monitor)
    assert endpoint["port"] == "gpu-metrics"


# settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("username: me", "username without password_file"),
        ("password_file: /s", "password_file without username"),
        ("username: me\n  password: hush", "unknown key 'password'"),
        ("password_file: secrets/s\n  username: me", "is not an absolute path"),
        ("ca_file: ca.pem", "is not an absolute path"),
        ("selector: dcgm-exporter", "selects no pods"),
        ("selector: 'app in (a, b)'", "selects no pods"),
        ("port: Metrics_1", "is not a name in Kubernetes"),
        ("namespace: ''", "is not a name in Kubernetes"),
        ("cluster: ${HOME}", "has a $"),
        ("cluster: |\n    a\n    b", "is not a name"),
        ("model_version_label: 'a b'", "is not a label of pods"),
        ("release: 'a b'", "is not the value of a label"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(text: str, what: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(f"scrape:\n  {text}", "gpuboards.yaml")
    assert what in refused.value.what and refused.value.fix
    assert refused.value.where.startswith("gpuboards.yaml:")
    assert "hush" not in str(refused.value)


def test_the_defaults_ask_nobody_for_a_password() -> None:
    assert Scrape() == parse("scrape:", "f").scrape == Config().scrape
    assert (Scrape().username, Scrape().ca_file, Scrape().cluster) == ("", "", "")
