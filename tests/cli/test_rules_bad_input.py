"""What one can get wrong in the alerts' settings: which line it is, what to do, and nothing written meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

H100 = "NVIDIA H100 80GB HBM3"
BROKEN = """\
profiles:
  dcgm:
    labels:
      node: {label: Hostname, pattern: "(.+)-.*", replacement: "node-$1"}
"""

MISTAKES = {
    "out of range": (
        "alerts: {temperature_warning: 900}\n",
        "gpuboards.yaml:1: alerts.temperature_warning: 900 is out of range",
        "a number from 20 to 150",
    ),
    "not a number": (
        "alerts: {temperature_warning: hot}\n",
        "gpuboards.yaml:1: alerts.temperature_warning",
        "expected a number",
    ),
    "critical below warning": (
        "alerts: {temperature_warning: 95, temperature_critical: 90}\n",
        "temperature_warning (95) is not below temperature_critical (90)",
        "temperature_warning comes before temperature_critical",
    ),
    "critical below warning of one model": (
        f"alerts:\n  models:\n    {H100}: {{temperature_warning: 95}}\n",
        "gpuboards.yaml:3: temperature_warning (95) is not below temperature_critical (90)",
        "set both",
    ),
    "unknown model": (
        "alerts: {models: {NVIDIA H1000: {temperature_warning: 83}}}\n",
        "gpuboards.yaml:1: unknown model 'NVIDIA H1000' in alerts.models",
        "did you mean",
    ),
    "unknown alert": (
        "alerts: {severity: {GpuLosst: warning}}\n",
        "gpuboards.yaml:1: unknown key 'GpuLosst' in alerts.severity",
        "did you mean GpuLost?",
    ),
    "unknown severity": ("alerts: {severity: {GpuLost: loud}}\n", "'loud' is not a severity", "critical, warning"),
    "an alert twice": (
        "alerts:\n  severity:\n    GpuLost: warning\n    GpuLost: critical\n",
        "gpuboards.yaml:4: the key 'GpuLost' is here twice",
        "it is also at gpuboards.yaml:3",
    ),
    "no metric name": (
        'profiles: {dcgm: {signals: {temperature: "DCGM FI"}}}\n',
        "profiles.dcgm.signals.temperature: 'DCGM FI' is not a metric name",
        "letters, digits",
    ),
    "an override that breaks an expression": (BROKEN, "gpuboards.yaml:4: profiles.dcgm.labels.node", "spell it"),
}


@pytest.mark.parametrize("command", [["build"], ["check"], ["test", "GpuTemperatureHigh"]], ids=" ".join)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_it_is_named_and_nothing_is_written(gpuboards: Run, tmp_path: Path, mistake: str, command: list[str]) -> None:
    content, what, fix = MISTAKES[mistake]
    (tmp_path / "gpuboards.yaml").write_text(content)
    done = gpuboards("rules", *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr
    assert fix in done.stderr
    assert "Traceback" not in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["gpuboards.yaml"]


def test_what_was_built_before_stays(gpuboards: Run, tmp_path: Path) -> None:
    assert gpuboards("rules", "build", "--out", "rules").returncode == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "rules").iterdir()}
    (tmp_path / "gpuboards.yaml").write_text(BROKEN)
    assert gpuboards("rules", "build", "--out", "rules").returncode == 2
    assert {file.name: file.read_bytes() for file in (tmp_path / "rules").iterdir()} == before


def test_thresholds_of_one_model_are_no_mistake(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text(f"alerts: {{models: {{{H100}: {{temperature_warning: 83}}}}}}\n")
    done = gpuboards("rules", "check")
    assert (done.returncode, done.stdout) == (0, "")
    assert "0 findings" in done.stderr
