"""A real Prometheus scrapes the probe, and the boards' own queries give its numbers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from builder.build import build_boards
from builder.config import Config
from builder.load import load
from builder.testing import Client, ExpositionServer, run_dashboard
from tests.live.targets import exposition
from tests.probe import frameworks
from tests.probe.conftest import ROOT, Start
from tests.probe.scraping import prometheus, until

pytestmark = pytest.mark.live

CERTIFICATES = Path(__file__).with_name("certificates")
CARD = "GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"  # card 0 of the fixture
USED = 70837 * (1 << 20)  # what the fixture's device says of it


def test_a_tensorflow_training_is_found_scraped_and_on_the_board(tmp_path: Path) -> None:
    """Found by file_sd, joined to the card by its uuid, and gone when the training is."""
    frameworks.require("tensorflow")
    found = tmp_path / "sd"
    found.mkdir()
    options = {"file_sd": str(found), "job": "resnet", "cards": {"CPU:0": CARD}}
    command = [sys.executable, str(frameworks.SCRIPTS / "tensorflow_loop.py"), json.dumps(options), str(tmp_path)]
    with (
        ExpositionServer({"dcgm": exposition("dcgm_B_3.3.7-to-4.8.2_k8s_2gpu")}) as device,
        subprocess.Popen(
            command,
            env=frameworks.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as training,
    ):
        assert training.stdout is not None
        said = json.loads(training.stdout.readline())
        sources = [
            {"job_name": "training", "file_sd_configs": [{"files": [f"{found}/*.json"], "refresh_interval": "1s"}]},
            {
                "job_name": "dcgm-exporter",
                "metrics_path": "/dcgm/metrics",
                "static_configs": [{"targets": [device.address]}],
            },
        ]
        with prometheus(tmp_path, sources) as client:
            _scraped(client, "train_steps_total", "DCGM_FI_DEV_FB_USED")
            # A panel's steps lie on multiples of the exporter's 30 s: the next one sees what there is now.
            at = (time.time() // 30 + 1) * 30
            answer = run_dashboard(_memory_board(), client.url, at=at, range_seconds=60, scrape_interval="1s")
            assert answer.problems() == ()
            in_use = float(said["current"])
            assert in_use >= 4 << 20  # the variable of 1024 x 1024 floats
            assert answer.panel("In use by frameworks").value() == in_use
            assert answer.panel("Gap").value() == USED - in_use
            assert answer.panel("Gap, share").value() == pytest.approx((USED - in_use) / USED)
            gap = answer.panel("Gap by card")
            assert [(s.labels["node"], s.labels["gpu"], s.last) for s in gap.series] == [
                ("gpu-node-01", "0", USED - in_use)
            ]
            now = time.time()
            (steps,) = client.instant("train_steps_total", now)
            own = {"job": "training", "training_job": "resnet", "framework": "tensorflow", "rank": "0"}
            assert steps.labels.items() >= own.items()
            assert steps.last == 30
            assert [s.last for s in client.instant("train_records_total", now)] == [960]
            assert [s.last for s in client.instant("train_checkpoints_total", now)] == [3]
            assert [s.last for s in client.instant("tfr_records_processed_total", now)] == [960]
            (info,) = client.instant("train_device_info", now)
            assert info.labels.items() >= {"uuid": CARD, "mapping": "configured", "device": "CPU:0"}.items()
            training.communicate()
            assert training.returncode == 0
            until(lambda: not client.instant("train_steps_total", time.time()), lambda: "the series stays")
            assert list(found.iterdir()) == []


def test_prometheus_scrapes_through_tls_and_basic_authentication(begin: Start, tmp_path: Path) -> None:
    probe = begin(
        certificate=str(CERTIFICATES / "valid.pem"),
        key=str(CERTIFICATES / "key.pem"),
        username="prometheus",
        password="secret",
        file_sd=str(tmp_path),
    )
    probe.step()
    source = {
        "job_name": "training",
        "file_sd_configs": [{"files": [f"{tmp_path}/gpuboards-*.json"]}],
        "tls_config": {"ca_file": str(CERTIFICATES / "valid.pem")},
        "basic_auth": {"username": "prometheus", "password": "secret"},
    }
    with prometheus(tmp_path, [source]) as client:
        _scraped(client, "train_steps_total")
        assert [s.last for s in client.instant("up", time.time())] == [1]


def _memory_board() -> dict[str, Any]:
    definitions = [each for each in load(ROOT / "dashboards") if each.board.uid == "gpu-memory"]
    boards, _ = build_boards(definitions, Config())
    return boards["gpu-memory"]


def _scraped(client: Client, *metrics: str) -> None:
    def both() -> bool:
        return all(client.instant(metric, time.time()) for metric in metrics)

    until(both, lambda: f"not scraped: {client.targets()}")
