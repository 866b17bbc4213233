"""The fake Grafana as a process of its own: what it prints is enough to push to it, and a signal ends it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys

import pytest
import requests

from tests.cli.conftest import ROOT


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "builder.testing.grafana", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_comes(ends: signal.Signals) -> None:
    with start("--version", "13.2.0", "--path", "/grafana") as process:
        assert process.stdout
        words = shlex.split(process.stdout.readline())
        assert words[0] == "export"
        said = dict(word.split("=", 1) for word in words[1:])
        headers = {"Authorization": f"Bearer {said['GRAFANA_TOKEN']}"}
        reply = requests.get(f"{said['GRAFANA_URL']}/api/frontend/settings", headers=headers, timeout=30)
        assert reply.json()["buildInfo"]["version"] == "13.2.0" and said["GRAFANA_URL"].endswith("/grafana")
        process.send_signal(ends)
        assert process.wait(60) == 0


def test_what_is_no_version() -> None:
    with start("--version", "new") as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2 and "is not a version of Grafana" in err and "Traceback" not in err
