"""``gpuboards simulate`` as one runs it, and everything one can get wrong with it: exit code 2 and no traceback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from builder.simulate import KINDS
from tests.cli.conftest import ROOT, Run

START = ["--start", "2026-01-01T00:00:00Z"]
SMALL = ["--nodes", "1", "--cards", "2", *START]


def test_a_history_is_written_and_is_the_same_again(gpuboards: Run, tmp_path: Path) -> None:
    for name in ("one", "other"):
        done = gpuboards("simulate", "backfill", "--hours", "2.5", "--out", name, *SMALL, "--fault", "hot:node-0/gpu-0")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{name}: 2 files" in done.stdout
        assert "from 2026-01-01T00:00:00Z" in done.stdout
        assert "create-blocks-from openmetrics" in done.stdout
    one, other = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "other"))
    assert one == other
    assert sorted(one) == ["20260101T000000Z.om", "20260101T020000Z.om"]


@pytest.mark.live
def test_blocks_are_made(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("simulate", "backfill", "--hours", "1", "--out", "data", "--blocks", "--interval", "2m", *SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 blocks more" in done.stdout
    (block,) = (tmp_path / "data").iterdir()
    assert (block / "meta.json").exists()


def test_blocks_need_promtool(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards(
        "simulate", "backfill", "--hours", "1", "--out", "data", "--blocks", *SMALL, environment={"PATH": str(tmp_path)}
    )
    assert done.returncode == 2
    assert "promtool is not installed" in done.stderr


def test_a_fleet_is_served_until_it_is_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "builder.cli", "simulate", "serve", "--port", "0", "--nodes", "2", "--cards", "2"]
    command += ["--scrape-config", "prometheus.yml", "--cluster", "lab"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as served:
        assert served.stderr
        try:
            assert served.stderr.readline().startswith("wrote prometheus.yml")
            url = "http://" + served.stderr.readline().partition("http://")[2].partition(";")[0]
            assert 'Hostname="node-1"' in requests.get(f"{url}/node-1/gpu/metrics", timeout=10).text
            assert "lab" in requests.get(f"{url}/targets/node-exporter", timeout=10).text
            served.terminate()
            output, said = served.communicate(timeout=10)
        finally:
            served.kill()
    assert (served.returncode, output) == (0, "")
    assert "Traceback" not in said
    assert f"{url}/targets/training" in (tmp_path / "prometheus.yml").read_text()


def test_the_kinds_of_fault_are_listed(gpuboards: Run) -> None:
    done = gpuboards("simulate", "faults")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(KINDS)


WRONG = {
    "malformed fault": (["--fault", "hot"], "malformed fault 'hot'", "KIND:NODE/gpu-N@START+LENGTH"),
    "unknown kind": (["--fault", "warm:node-0/gpu-0"], "unknown kind of fault 'warm'", "fix"),
    "no such card": (["--fault", "hot:node-7/gpu-0"], "no such card: 'node-7/gpu-0'", "did you mean node-0/gpu-0"),
    "no card there": (["--fault", "leak:node-0/gpu-1"], "never has a training process", "such as node-0/gpu-0"),
    "unknown profile": (["--profile", "dgcm"], "unknown profile 'dgcm'", "did you mean dcgm"),
    "unknown scheme": (["--scheme", "Z"], "unknown scheme of dcgm 'Z'", "A0"),
    "unknown model": (["--model", "b200"], "unknown card model 'b200'", "h100"),
    "unknown training": (["--training", "pytorch"], "unknown training", "probe"),
    "no nodes": (["--nodes", "0"], "--nodes: 0 nodes", "between 1 and 50000"),
    "not a time": (["--start", "yesterday"], "not a time: 'yesterday'", "2026-01-01T00:00:00Z"),
    "beyond all times": (["--start", "9999-12-31T23:59:59Z"], "out of bounds", "from 1971 to 2199"),
    "a fault in no year": (["--fault", "hot:*@99999999999999999999d"], "out of bounds", "at most 1000 years"),
    "jobs without end": (["--job-hours", "nan"], "jobs of nan hours", "between"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["backfill", "--hours", "1", "--out", "out"]])
def test_a_mistake_is_explained(gpuboards: Run, tmp_path: Path, command: list[str], name: str) -> None:
    options, what, fix = WRONG[name]
    done = gpuboards("simulate", *command, *SMALL, *options, timeout=30)
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr
    assert fix in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--hours", "0"], "a history of 0 hours"),
        (["--hours", "nan"], "a history of nan hours"),
        (["--hours", "1", "--interval", "0s"], "scrapes every 0s"),
        (["--hours", "1", "--interval", "1.5s"], "give whole seconds"),
        (["--hours", "1", "--interval", "\u0663s"], "not a duration"),
        (["--hours", "1", "--interval", "half"], "not a duration: 'half'"),
        (["--hours", "soon"], "'soon' is not a valid float"),
    ],
)
def test_a_history_that_cannot_be_is_refused(gpuboards: Run, tmp_path: Path, options: list[str], says: str) -> None:
    done = gpuboards("simulate", "backfill", "--out", "out", *SMALL, *options)
    assert done.returncode == 2
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_history_is_not_overwritten_unasked(gpuboards: Run) -> None:
    command = ["simulate", "backfill", "--hours", "0.1", "--out", "out", *SMALL]
    assert gpuboards(*command).returncode == 0
    again = gpuboards(*command)
    assert again.returncode == 2
    assert "out/20260101T000000Z.om: there is a history already" in again.stderr
    assert gpuboards(*command, "--force").returncode == 0


def test_a_directory_that_cannot_be_written_is_told_of(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = gpuboards("simulate", "backfill", "--hours", "0.1", "--out", "file/out", *SMALL)
    assert done.returncode == 2
    assert "cannot be written: Not a directory" in done.stderr
    read_only = gpuboards("simulate", "backfill", "--hours", "0.1", "--out", "/proc/out", *SMALL)
    assert read_only.returncode == 2
    assert "error: /proc/out: cannot be written" in read_only.stderr


def test_a_configuration_that_cannot_be_written_is_told_of(gpuboards: Run) -> None:
    done = gpuboards("simulate", "serve", "--port", "0", "--scrape-config", "no/such.yml", *SMALL, timeout=30)
    assert done.returncode == 2
    assert "no/such.yml: cannot be written" in done.stderr


@pytest.mark.parametrize("interval", ["1.5s", "0s", "1ms", "30", "\u0663s"])
def test_an_interval_that_prometheus_would_refuse_is_told_of(gpuboards: Run, interval: str) -> None:
    done = gpuboards("simulate", "serve", "--port", "0", "--scrape-interval", interval, *SMALL, timeout=30)
    assert (done.returncode, done.stdout) == (2, "") and "--scrape-interval" in done.stderr


def test_a_port_in_use_is_told_of(gpuboards: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = gpuboards("simulate", "serve", "--port", str(taken.getsockname()[1]), *SMALL, timeout=30)
    assert done.returncode == 2
    assert "Address already in use" in done.stderr
    assert "choose another, or 0 for any" in done.stderr
