"""``gpuboards init`` on real servers: what it finds is what is scraped, and what it writes builds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from builder.cli import run
from builder.config import parse
from builder.simulate import Fleet
from builder.simulate import history as simulated
from builder.survey.found import Exporter, Found
from builder.survey.written import configuration
from builder.targets.prometheus.address import Access, address
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.survey import survey
from builder.testing import AT, FakeGrafana, Prometheus, history, static_target
from builder.testing.grafana import DataSource
from tests.live.fleets import FLEETS

pytestmark = pytest.mark.live


def found_on(prometheus: Prometheus, at: float = AT) -> Found:
    with Client(address(Access(prometheus.url), {}), seconds=60) as client:
        return survey(client, lambda _doing, _done, _total: None, at)


def main_one(found: Found) -> Exporter:
    assert found.exporters
    return found.exporters[0]


CASES = {
    # fleet: profile, cards, nodes, spelling of the node, of the pod, words of the version
    "dcgm": ("dcgm", 4, 2, ("Hostname",), ("exported_pod",), "up to 4.8.2"),
    "dcgm-honor-labels": ("dcgm", 4, 2, ("Hostname",), ("pod",), "up to 4.8.2"),
    "dcgm-c": ("dcgm", 4, 2, ("hostname",), ("exported_pod",), "4.8.3 or later"),
    "dcgm-b-and-c": ("dcgm", 4, 2, ("Hostname", "hostname"), ("exported_pod",), "4.8.3 or later"),
    "dcgm-baremetal": ("dcgm", 2, 1, ("Hostname",), (), "up to 4.8.2"),
    "dcgm-old-namespace": ("dcgm", 2, 1, ("Hostname",), ("pod_name",), "up to 4.8.2"),
    "dcgm-hpc": ("dcgm", 2, 1, ("Hostname",), (), "up to 4.8.2"),
    "dcgm-vgpu": ("dcgm", 2, 1, ("Hostname",), ("exported_pod",), "up to 4.8.2"),
    "dcgm-mig": ("dcgm", 2, 1, ("Hostname",), ("exported_pod",), "up to 4.8.2"),
    "dcgm-4.9": ("dcgm-4.9", 2, 1, ("hostname",), ("exported_pod",), ""),
    "nvidia-smi": ("nvidia-smi", 4, 2, ("instance",), (), ""),
    "nv-gpu": ("nv-gpu", 2, 1, ("instance",), (), ""),
    "nvidia-gpu": ("nvidia-gpu", 2, 1, ("instance",), (), ""),
}


@pytest.mark.parametrize("fleet", CASES)
def test_what_is_scraped_is_found(fleet: str, prometheus_of: Callable[[str], Prometheus]) -> None:
    profile, cards, nodes, node, pods, version = CASES[fleet]
    found = found_on(prometheus_of(fleet))
    exporter = main_one(found)
    assert (exporter.profile, exporter.cards, exporter.nodes) == (profile, cards, nodes)
    assert (exporter.labels["node"], exporter.pods) == (node, pods)
    assert version in " ".join(exporter.versions)
    assert exporter.interval == 30
    assert exporter.mig == (fleet == "dcgm-mig")
    assert (found.training, found.host) == (FLEETS[fleet].training.replace("auto", "none"), _host(fleet))


def _host(fleet: str) -> str:
    return "node-exporter" if fleet == "dcgm" else "none"


def test_what_is_missing_is_named_with_what_switches_it_on(prometheus_of: Callable[[str], Prometheus]) -> None:
    missing = main_one(found_on(prometheus_of("dcgm"))).missing
    assert missing["sm_activity"] == "add DCGM_FI_PROF_SM_ACTIVE to the exporter's counters file (-f)"
    assert not {"utilisation", "memory_used", "memory_total", "temperature"} & missing.keys()
    extended = main_one(found_on(prometheus_of("dcgm-extended"))).missing
    assert "sm_activity" not in extended and len(extended) < len(missing)


def test_several_exporters_on_one_server(tmp_path: Path) -> None:
    """Old and new dcgm-exporter on three nodes and nvidia_gpu_exporter on one: the most cards win, all are named."""
    targets = [t for name in ("dcgm-b-and-c", "dcgm-baremetal", "nvidia-smi") for t in FLEETS[name].targets]
    with Prometheus(history=history(targets)) as mixed:
        found = found_on(mixed)
    assert [(e.profile, e.cards, e.nodes) for e in found.exporters] == [("dcgm", 6, 3), ("nvidia-smi", 4, 2)]
    assert found.exporters[0].labels["node"] == ("Hostname", "hostname")
    text = configuration(found, found.exporters[0], kubernetes=False, date="2026-01-01")
    assert parse(text, "").recording.also == ("nvidia-smi",)


def test_a_host_label_that_was_dropped_is_replaced() -> None:
    text = 'DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1"} 5\nDCGM_FI_DEV_FB_USED{gpu="1",UUID="GPU-2"} 5\n'
    targets = [static_target(text, job="dcgm", instance=f"{host}:9400") for host in ("a", "b")]
    with Prometheus(history=history(targets)) as bare:
        exporter = main_one(found_on(bare))
    assert (exporter.substitute, exporter.nodes, exporter.cards) == ("instance", 2, 4)


@pytest.fixture(scope="module")
def now() -> Iterator[Callable[..., str]]:
    """A server whose last scrape is not long ago: a simulated fleet, by its options."""
    with ExitStack() as stack:

        def start(interval: int = 30, **options: object) -> str:
            end = float(int(time.time()))
            fleet = Fleet(start=end - 7200, **options)  # type: ignore[arg-type]
            text = simulated(fleet, begin=end - 1200, end=end, interval=interval)
            return stack.enter_context(Prometheus(history=text)).url

        yield start


Init = Callable[..., tuple[int, str, str]]


@pytest.fixture
def init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Init:
    monkeypatch.chdir(tmp_path)

    def init(*arguments: str) -> tuple[int, str, str]:
        code = run(["init", *arguments])
        return code, *capsys.readouterr()

    return init


def test_what_is_written_builds_and_checks(init: Init, now: Callable[..., str], tmp_path: Path) -> None:
    url = now(nodes=2, cards=2, mig=["node-1/gpu-0"], cluster="east", interval=60, counters="default")
    code, out, err = init("--prometheus", url)
    assert code == 0 and "4 cards on 2 nodes" in out and "MIG: yes" in out and "next: gpuboards build" in err
    text = (tmp_path / "gpuboards.yaml").read_text()
    config = parse(text, "gpuboards.yaml")
    assert (config.profile, config.training, config.host) == ("dcgm", "probe", "node-exporter")
    assert config.show_cluster and config.datasources.prometheus.url == url
    assert config.profiles["dcgm"].interval == 60, "samples come every minute, every 30 s is usual"
    assert "#   sm_activity: add DCGM_FI_PROF_SM_ACTIVE" in text and max(map(len, text.splitlines())) < 115
    assert run(["build", "--config", "gpuboards.yaml", "--out", "built"]) == 0
    assert "timeInterval: 60s" in (tmp_path / "built/datasources/gpuboards.yaml").read_text()
    assert run(["check", "--prometheus", url, "--range", "15m", "--fail-on", "bug"]) == 0


def test_a_file_that_is_there_is_left_alone(init: Init, now: Callable[..., str], tmp_path: Path) -> None:
    url = now(nodes=1, cards=1, profile="nvidia-smi", kubernetes=False, training="none", host=False)
    mine = tmp_path / "gpuboards.yaml"
    mine.write_text("profile: nv-gpu\n")
    code, out, err = init("--prometheus", url)
    assert (code, out) == (2, "") and "left alone" in err and "--force" in err
    assert mine.read_text() == "profile: nv-gpu\n"
    assert init("--prometheus", url, "--out", "other.yaml")[0] == 0
    config = parse((tmp_path / "other.yaml").read_text(), "other.yaml")
    assert (config.profile, config.training, config.host) == ("nvidia-smi", "none", "none")
    assert config.logs.selector == '{host="{node}"}'
    code, out, err = init("--prometheus", url, "--force", "--format", "json")
    told = json.loads(out)
    assert code == 0 and told["profile"] == "nvidia-smi" and told["exporters"][0]["cards"] == 1
    assert "nvidia-smi" in mine.read_text()
    code, out, err = init("--prometheus", url, "--out", "-")
    assert code == 0 and yaml.safe_load(out)["profile"] == "nvidia-smi" and "cards on" in err


def test_nothing_to_find(init: Init, tmp_path: Path) -> None:
    host = static_target("node_load1 1\n", job="node", instance="a:9100")
    with Prometheus(history=history([host])) as bare:
        code, out, err = init("--prometheus", bare.url)
        assert (code, out) == (1, "") and "no GPU metric" in err and "--profile" in err
        assert not (tmp_path / "gpuboards.yaml").exists()
        code, out, err = init("--prometheus", bare.url, "--profile", "nvidia-gpu")
    assert code == 0 and "which was named" in out
    assert parse((tmp_path / "gpuboards.yaml").read_text(), "").profile == "nvidia-gpu"


def test_the_data_sources_of_a_grafana(init: Init, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sources = [
        DataSource("Alpha", "alpha", "prometheus"),
        DataSource("Metrics: main", "metrics-1", "prometheus", default=True),
        DataSource("Logs", "logs-1", "loki"),
    ]
    with FakeGrafana("12.2.0", datasources=sources) as grafana:
        monkeypatch.setenv("GRAFANA_TOKEN", grafana.token)
        code, out, err = init("--grafana", grafana.url, "--profile", "dcgm")
        assert (code, grafana.writes) == (0, ())
    assert "data source metrics-1: Metrics: main, prometheus, the default" in out
    text = (tmp_path / "gpuboards.yaml").read_text()
    config = parse(text, "gpuboards.yaml")
    assert (config.datasources.prometheus.uid, config.datasources.prometheus.name) == ("metrics-1", "Metrics: main")
    assert config.datasources.loki.uid == "logs-1" and "alpha (Alpha)" in text
    assert config.contexts["main"].url == grafana.url and config.contexts["main"].auth.token_env == "GRAFANA_TOKEN"
    assert grafana.token not in text + out + err
