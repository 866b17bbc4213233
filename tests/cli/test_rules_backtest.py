"""``gpuboards rules backtest`` as people use it, and misuse it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from subprocess import PIPE

import pytest

from builder.cli import run
from builder.simulate import Fleet, history
from builder.testing import Prometheus
from builder.testing.process import free_port
from tests.cli.conftest import ROOT, Run
from tests.targets.prometheus.relay import Relay

pytestmark = pytest.mark.live
HOUR = 3600
FLEET = Fleet(nodes=1, cards=2, job_hours=8, faults=["hot:node-0/gpu-1@70m+20m"])
UNTIL = ("--until", "2026-01-01T02:00:00Z")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Prometheus(history=history(FLEET, begin=FLEET.start, end=FLEET.start + 2 * HOUR)) as prometheus:
        yield prometheus.url


def test_a_report_with_a_picture(gpuboards: Run, tmp_path: Path, url: str) -> None:
    asked = ("rules", "backtest", "GpuTemperatureHigh", "--prometheus", url, "--since", "1h", *UNTIL)
    done = gpuboards(*asked, "--try", "temperature_warning=81,87", "--wanted", "200", "--svg", "plot.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"2026-01-01 01:00:00Z to 2026-01-01 02:00:00Z (1 h), dcgm, {url}",
        "",
        "alert               severity  alerts  a week  places  firing       longest",
        "GpuTemperatureHigh  warning   1       168     1       11 min 30 s  11 min 30 s",
        "",
        "GpuTemperatureHigh:",
        "  node-0/1  2026-01-01 01:23:30Z to 2026-01-01 01:35:00Z (11 min 30 s)",
        "",
        "GpuTemperatureHigh: temperature_warning against the number of alerts",
        "  81 °C |#### 1 on 1, 12 min 30 s",
        "> 85 °C |#### 1 on 1, 11 min 30 s",
        "  87 °C |#### 1 on 1, 10 min",
        "  for at most 200 a week keep alerts.temperature_warning: 85 (it gives 168)",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["plot.svg"]  # no state is left


def test_as_data(gpuboards: Run, url: str) -> None:
    asked = ("--prometheus", url, "--since", "1h", *UNTIL, "--format", "json", "--vary", "none")
    done = gpuboards("rules", "backtest", *asked)
    found = json.loads(done.stdout)
    fired = {alert["alert"]: alert["places"] for alert in found["alerts"] if alert["count"]}
    assert fired == {"GpuTemperatureHigh": ["node-0/1"], "GpuTemperatureNotice": ["node-0/1"]}
    assert found["thresholds"] == []


def test_more_than_the_server_keeps_is_said_and_the_rate_is_of_the_rest(gpuboards: Run, url: str) -> None:
    asked = ("--prometheus", url, "--since", "2d", *UNTIL, "--format", "json", "--vary", "none")
    done = gpuboards("rules", "backtest", "GpuTemperatureHigh", *asked)
    assert done.returncode == 0
    assert "the history begins at 2026-01-01 00:" in done.stderr
    (alert,) = json.loads(done.stdout)["alerts"]
    assert alert["count"] == 1
    assert 84 <= alert["a_week"] <= 112  # of one and a half to two hours


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["GpuTemperatureHihg"], "did you mean GpuTemperatureHigh"),
        (["GpuRetiredPagesPending", "--profile", "nv-gpu"], "GpuRetiredPagesPending has no rule: profile nv-gpu"),
        (["--since", "a while"], "--since: 'a while' is not a duration"),
        (["--since", "3y"], "--since: 3y is out of bounds\n  fix: from 1 h to 400 d"),
        (["--since", "1m"], "--since: 1m is out of bounds"),
        (["--slice", "30d"], "--slice: 30d is out of bounds"),
        (["--until", "yesterday"], "--until: not a time: 'yesterday'"),
        (["--wanted", "-1"], "--wanted: not a number of alerts"),
        (["--wanted", "nan"], "--wanted: not a number of alerts"),
        (["--try", "temperature"], "--try: unknown threshold of these alerts 'temperature'\n  fix: did you mean"),
        (["--try", "temperature_warning=hot"], "--try temperature_warning: not numbers: hot"),
        (["--try", "temperature_warning=400"], "400 is out of range\n  fix: from 20 to 150"),
        (["--try", "temperature_warning=87,95"], "temperature_warning (95) is not below temperature_critical (90)"),
        (["GpuLost", "--try", "temperature_warning"], "unknown threshold of these alerts 'temperature_warning'"),
        (["--svg", "nowhere/plot.svg"], "--svg nowhere/plot.svg: there is no such directory"),
        (["--state", "nowhere/state"], "nowhere/state: the state cannot be written"),
        (["--until", "2020-01-01"], "there is no history of cards between"),
        (["--profile", "nvidia-gpu"], "is nvidia-gpu the right --profile?"),
    ],
)
def test_a_mistake_is_told_and_leaves_nothing(
    tmp_path: Path,
    url: str,
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    until = () if "--until" in arguments else UNTIL
    code = run(["rules", "backtest", "--prometheus", url, "--since", "1h", *until, *arguments])
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert said in printed.err
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_keeps_what_is_answered_and_the_same_command_goes_on(tmp_path: Path, url: str) -> None:
    asked = ["rules", "backtest", "GpuTemperatureHigh", "GpuLost", "--slice", "10m", "--since", "1h", *UNTIL]
    command = [sys.executable, "-m", "builder.cli", *asked]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running: Queue[subprocess.Popen[str]] = Queue()
    told: Queue[str] = Queue()

    def interrupt() -> None:
        process = running.get(timeout=60)
        process.send_signal(signal.SIGINT)
        told.put(process.stderr.readline() if process.stderr else "")

    with Relay(url, answers=1000) as relay:
        relay.after(8, interrupt)
        process = subprocess.Popen(
            [*command, "--prometheus", relay.url], cwd=tmp_path, env=environment, stdout=PIPE, stderr=PIPE, text=True
        )
        running.put(process)
        assert told.get(timeout=60).startswith("stopping when what is in flight has finished")
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (130, ""), err
        assert "answers are kept in gpuboards-backtest.json; the same command continues there" in err
        kept = json.loads((tmp_path / "gpuboards-backtest.json").read_text())["answers"]
        assert 0 < sum(map(len, kept.values())) < 26
        done = subprocess.run(
            [*command, "--prometheus", relay.url], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "GpuTemperatureHigh  warning   1 " in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("rules", "backtest", "--prometheus", f"http://127.0.0.1:{free_port()}")
    assert done.returncode == 3
    assert "is out of reach" in done.stderr
    assert list(tmp_path.iterdir()) == []


_ABOUT = '{"gpuboards_backtest": 1, "about": {"start": 0, "end": 1}, "answers": '


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", '{"gpuboards_backtest": 1}', '{"gpuboards_backtest": 2}'),
        *(_ABOUT + answers + "}" for answers in ("[]", '{"x": 1}', '{"x": {"0": [1]}}', '{"x": {"0": [[{}, [1]]]}}')),
    ],
)
def test_a_file_that_is_no_state_is_left_alone(
    tmp_path: Path, url: str, content: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gpuboards-backtest.json").write_text(content)
    assert run(["rules", "backtest", "GpuLost", "--prometheus", url, "--since", "1h", *UNTIL]) == 2
    assert "the state of a backtest" in capsys.readouterr().err
    assert (tmp_path / "gpuboards-backtest.json").read_text() == content
