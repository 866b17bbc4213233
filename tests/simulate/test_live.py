"""A real Prometheus scrapes the simulator by the configuration that it prints, and boards run on its histories."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builder.build import build_boards
from builder.config import Config
from builder.load import load
from builder.simulate import Fleet, history, truth
from builder.simulate.files import write_blocks
from builder.simulate.serve import FleetServer, scrape_configuration
from builder.testing import Client, DashboardResult, Prometheus, run_dashboard

pytestmark = pytest.mark.live
DASHBOARDS = Path(__file__).parents[2] / "dashboards"


def boards_for(fleet: Fleet) -> dict[str, Any]:
    """The standard boards, built for the fleet's exporters."""
    config = replace(Config(), profile=fleet.profile, training=fleet.training, host="node-exporter")
    boards, _ = build_boards(load(DASHBOARDS), config)
    return {uid: json.loads(text) if isinstance(text, str | bytes) else text for uid, text in boards.items()}


@contextmanager
def prometheus_at(directory: Path, *arguments: str) -> Iterator[Client]:
    """A Prometheus that works in this directory."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    binary = shutil.which("prometheus")
    assert binary, "prometheus is not installed: apt-get install prometheus"
    storage = [f"--storage.tsdb.path={directory / 'data'}", "--storage.tsdb.retention.time=100y"]
    command = [binary, *storage, f"--web.listen-address={address}", "--log.level=error", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        client = Client(f"http://{address}")
        try:
            deadline = time.monotonic() + 30
            while not client.ready() and time.monotonic() < deadline:
                time.sleep(0.05)
            yield client
        finally:
            client.close()
            process.terminate()


def test_a_prometheus_scrapes_two_nodes_by_the_printed_configuration(tmp_path: Path) -> None:
    fleet = Fleet(
        nodes=2, cards=2, start=float(int(time.time())) - 3600, faults=["exporter-down:node-1", "idle:node-0/gpu-0"]
    )
    with FleetServer(fleet) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        configuration = tmp_path / "prometheus.yml"
        configuration.write_text(scrape_configuration(fleet, server.address, "1s"))
        with prometheus_at(tmp_path, f"--config.file={configuration}") as client:
            wanted = len(list(fleet.targets(time.time())))
            deadline = time.monotonic() + 40
            while time.monotonic() < deadline:
                up = client.instant("up", time.time())
                if len(up) == wanted and sum(series.last for series in up) == wanted - 1:
                    break
                time.sleep(0.2)
            assert {s.labels["job"] for s in up} == {"dcgm-exporter", "node-exporter", "kube-state-metrics", "training"}
            (down,) = [s.labels for s in up if not s.last]
            assert down["job"] == "dcgm-exporter"
            idle = client.instant("DCGM_FI_DEV_GPU_UTIL == 0", time.time())
            assert {(s.labels["Hostname"], s.labels["gpu"]) for s in idle} == {("node-0", "0")}
            assert all(s.labels["exported_pod"] for s in idle)
            assert len(client.instant("train_steps_total", time.time())) == 3
        server.shutdown()


WAYS = [
    {},
    {"scheme": "C", "mig": ["node-1/gpu-0"]},
    {"scheme": "A'", "honor_labels": True},
    {"kubernetes": False, "counters": "default"},
    {"profile": "dcgm-4.9"},
    {"profile": "nvidia-smi"},
    {"profile": "nvidia-smi", "scheme": "nvml", "mig": ["node-1/gpu-0"]},
    {"profile": "nv-gpu", "training": "tf-snippet"},
    {"profile": "nvidia-gpu", "training": "tf-snippet"},
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(map(str, way.values())) or "default")
def test_boards_run_on_a_history_and_find_the_hot_card(way: dict[str, Any]) -> None:
    fleet = Fleet(nodes=2, cards=3, faults=["hot:node-0/gpu-1@20m", "exporter-down:node-1@30m+2m"], **way)
    at = fleet.start + 5400
    boards = boards_for(fleet)
    with Prometheus(history=history(fleet, begin=fleet.start + 1800, end=at)) as prometheus:
        results = {uid: run_dashboard(board, prometheus.url, at=at) for uid, board in boards.items()}
    assert {uid: result.problems() for uid, result in results.items() if result.problems()} == {}
    found = truth(fleet, at)
    assert _last(results["gpu-fleet"], "Hottest card") == found.value("temperature", "node-0", "1") == 88
    assert _last(results["gpu-fleet"], "Cards") == len(found.cards)


def test_boards_run_on_blocks_that_promtool_made(tmp_path: Path) -> None:
    fleet = Fleet(nodes=2, cards=2, steady=True, faults=["power-cap:node-0/gpu-0"])
    at = fleet.start + 3 * 3600
    assert write_blocks(fleet, tmp_path / "data", begin=fleet.start, end=at, interval=60) == 2
    (tmp_path / "prometheus.yml").write_text("global: {}\n")
    board = boards_for(fleet)["gpu-thermal"]
    with prometheus_at(tmp_path, f"--config.file={tmp_path / 'prometheus.yml'}") as client:
        result = run_dashboard(board, client.url, at=at)
        assert result.problems() == ()
        (energy,) = client.instant('increase(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{Hostname="node-0",gpu="0"}[2h])', at)
    power = truth(fleet, at).value("power", "node-0", "0")
    assert energy.last == pytest.approx(power * 1000 * 7200, rel=0.001)


def _last(result: DashboardResult, title: str) -> float:
    (value,) = {series.last for panel in result.panels if panel.title == title for series in panel.series}
    return value
