"""The files around the boards, judged by the servers' own checkers where these are installed."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.catalog.model import Kind
from builder.catalog.profiles import GPU_PROFILES, PROFILES
from builder.catalog.signals import SIGNALS
from builder.config import Config, Datasource, Datasources, Folder, parse
from builder.provisioning import render
from builder.provisioning.compose import IMAGES
from builder.provisioning.text import HEAD

CONFIGS = [replace(Config(), profile=name) for name in GPU_PROFILES]


def document(path: str, config: Config | None = None) -> Any:
    return yaml.safe_load(render(config or Config())[path])


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.profile)
def test_every_file_says_where_it_comes_from_and_ends_in_a_newline(config: Config) -> None:
    for path, text in render(config).items():
        assert text.startswith(f"{HEAD}\n"), path
        assert text.endswith("\n") and not text.endswith("\n\n"), path
        assert text.isascii() and "\t" not in text, path


def test_the_provider() -> None:
    config = parse("folder: {title: Research, uid: r-1}\nprovider: {path: /srv/boards}", "f")
    (provider,) = document("dashboards/gpuboards.yaml", config)["providers"]
    assert provider == {
        "name": "gpuboards",
        "type": "file",
        "folder": "Research",
        "folderUid": "r-1",
        "disableDeletion": False,
        "allowUiUpdates": False,
        "updateIntervalSeconds": 30,
        "options": {"path": "/srv/boards"},
    }


def test_the_data_sources() -> None:
    content = document("datasources/gpuboards.yaml")
    assert content["apiVersion"] == 1
    prometheus, loki = content["datasources"]
    assert (prometheus["type"], prometheus["uid"], prometheus["url"]) == (
        "prometheus",
        "prometheus",
        "http://prometheus:9090",
    )
    assert prometheus["jsonData"]["httpMethod"] == "POST"
    assert (loki["type"], loki["uid"]) == ("loki", "loki")


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.profile)
def test_the_interval_is_the_exporters(config: Config) -> None:
    prometheus, _ = document("datasources/gpuboards.yaml", config)["datasources"]
    assert prometheus["jsonData"]["timeInterval"] == f"{PROFILES[config.profile].interval}s"


def test_dollars_reach_grafana_as_they_are_meant() -> None:
    odd = Datasource("Cash $ource ${HOME}", "money", "http://prometheus:9090/$tenant")
    config = replace(
        Config(), datasources=replace(Datasources(), prometheus=odd), folder=Folder("$GPU", "gpu")
    )
    texts = render(config)
    for path in ("datasources/gpuboards.yaml", "dashboards/gpuboards.yaml"):
        assert not re.search(r"(?<!\$)(\$\$)*\$(?!\$)", texts[path]), path
    (source, _) = yaml.safe_load(texts["datasources/gpuboards.yaml"])["datasources"]
    assert source["name"].replace("$$", "$") == odd.name


def test_names_that_yaml_would_take_for_something_else() -> None:
    config = replace(Config(), folder=Folder("yes: #1 'GPU' \"é\"", "1e3"))
    (provider,) = document("dashboards/gpuboards.yaml", config)["providers"]
    assert (provider["folder"], provider["folderUid"]) == ("yes: #1 'GPU' \"é\"", "1e3")


# compose -------------------------------------------------------------------------------------


def test_compose_is_closed_to_the_network_and_pinned() -> None:
    services = document("compose.yaml")["services"]
    assert services.keys() == {"grafana", "prometheus", "loki", "alertmanager"} == IMAGES.keys()
    for name, service in services.items():
        assert re.fullmatch(r"[a-z]+/[a-z]+:v?\d+\.\d+\.\d+", service["image"]), name
        assert service["healthcheck"]["test"][0] == "CMD"
        assert all(port.startswith("127.0.0.1:") for port in service["ports"]), name
        assert any(volume.endswith(":ro") for volume in service["volumes"]), name


def test_compose_has_no_default_password() -> None:
    environment = document("compose.yaml")["services"]["grafana"]["environment"]
    assert environment["GF_SECURITY_ADMIN_PASSWORD"].startswith("${GRAFANA_ADMIN_PASSWORD:?")
    assert environment["GF_AUTH_ANONYMOUS_ENABLED"] == "false"


def test_compose_mounts_folders_that_the_build_writes() -> None:
    content, written = document("compose.yaml"), render(Config())
    for service in content["services"].values():
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            if source.startswith("./"):
                assert any(path.startswith(source[2:]) for path in written), volume
            else:
                assert source in content["volumes"]
    for service in ("prometheus", "loki", "alertmanager"):
        mounted = content["services"][service]["volumes"][0].split(":")[1]
        config = next(a for a in content["services"][service]["command"] if "config.file" in a).split("=")[1]
        assert config.replace(mounted, service) in written


# the servers' own judgement -------------------------------------------------------------------


@pytest.fixture(params=CONFIGS, ids=lambda config: config.profile)
def directory(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    for path, text in render(request.param).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def checked(*command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} is missing; on Debian: apt-get install prometheus prometheus-alertmanager")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_prometheus_takes_its_configuration(directory: Path) -> None:
    said = checked("promtool", "check", "config", str(directory / "prometheus" / "prometheus.yml"))
    assert "SUCCESS" in said
    warnings = [line for line in said.splitlines() if "WARNING" in line]
    assert all("for file_sd" in line and "does not exist" in line for line in warnings)  # the site adds them


def test_prometheus_reads_targets_of_the_site(directory: Path) -> None:
    targets = directory / "prometheus" / "targets"
    targets.mkdir()
    (targets / "gpu-rack1.yml").write_text("- targets: ['gpu-1:9400']\n")
    checked("promtool", "check", "config", str(directory / "prometheus" / "prometheus.yml"))
    (targets / "gpu-rack1.yml").write_text("- targetz: []\n")
    config = str(directory / "prometheus" / "prometheus.yml")
    done = subprocess.run(["promtool", "check", "config", config], capture_output=True, text=True)
    assert done.returncode != 0, "the targets file was not even read"


@pytest.mark.skipif(
    shutil.which("amtool") is None, reason="amtool (Debian: prometheus-alertmanager) is missing"
)
def test_alertmanager_takes_its_configuration(directory: Path) -> None:
    checked("amtool", "check-config", str(directory / "alertmanager" / "alertmanager.yml"))


def test_alertmanager_has_the_receiver_it_routes_to() -> None:
    content = document("alertmanager/alertmanager.yml")
    assert content["route"]["receiver"] in [receiver["name"] for receiver in content["receivers"]]


# the exporter's counters ---------------------------------------------------------------------


def rows(profile: str) -> list[list[str]]:
    text = render(replace(Config(), profile=profile))["exporters/dcgm-counters.csv"]
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [[cell.strip() for cell in row] for row in csv.reader(lines)]


@pytest.mark.parametrize("profile", ["dcgm", "dcgm-4.9"])
def test_counters_are_rows_of_three(profile: str) -> None:
    for row in rows(profile):
        assert len(row) == 3, row
        assert re.fullmatch(r"DCGM_FI_[A-Z0-9_]+", row[0]) and row[1] in ("gauge", "counter") and row[2]
    fields = [row[0] for row in rows(profile)]
    assert len(fields) == len(set(fields))


@pytest.mark.parametrize("profile", ["dcgm", "dcgm-4.9"])
def test_every_signal_finds_a_counter(profile: str) -> None:
    text = render(replace(Config(), profile=profile))["exporters/dcgm-counters.csv"]
    for signal, metrics in PROFILES[profile].signals.items():
        assert any(f"{metric.name}," in text for metric in metrics), signal


def test_counters_have_their_true_type() -> None:
    types = {row[0]: row[1] for row in rows("dcgm")}
    assert types["DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL"] == "gauge"  # whatever the upstream file says
    assert types["DCGM_FI_PROF_PCIE_TX_BYTES"] == "gauge"
    assert types["DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"] == "counter"
    assert SIGNALS["energy"].kind is Kind.COUNTER


def test_counters_leave_out_names_that_nobody_verified() -> None:
    unverified = {
        metric.name
        for metrics in PROFILES["dcgm-4.9"].signals.values()
        for metric in metrics
        if not metric.verified
    }
    assert unverified and not unverified & {row[0] for row in rows("dcgm-4.9")}


def test_no_counters_file_for_other_exporters() -> None:
    for name in GPU_PROFILES:
        has = "exporters/dcgm-counters.csv" in render(replace(Config(), profile=name))
        assert has == name.startswith("dcgm")
