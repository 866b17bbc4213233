"""``gpuboards rules explain`` and ``rules test``, run for real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run


def test_explain_tells_what_decides_about_an_alert(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text("alerts: {temperature_warning: 83, stage: {GpuTemperatureHigh: warn}}\n")
    done = gpuboards("rules", "explain", "GpuTemperatureHigh")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("GpuTemperatureHigh: warning, about a card\n  <where> is hot: <value>\n")
    assert "temperature_warning       83 °C    core temperature of the warning (20 to 150)" in done.stdout
    assert "  goes no further than the stage warn (alerts.stage)" in done.stdout
    assert "profiles that have it: dcgm, dcgm-4.9, nvidia-smi, nv-gpu, nvidia-gpu" in done.stdout
    assert "> 83\n" in done.stdout


def test_explain_tells_what_is_different_for_a_model_and_a_cluster(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text(
        "alerts:\n"
        "  models: {NVIDIA H100 80GB HBM3: {temperature_warning: 82}}\n"
        "  clusters: {lab: {temperature_warning_hold: 90, stall_after: 1h}}\n"
    )
    said = gpuboards("rules", "explain", "GpuTemperatureHigh").stdout.splitlines()
    assert "                            82 °C    for NVIDIA H100 80GB HBM3" in said
    assert "                            90 s     for cluster lab" in said
    assert "  for NVIDIA H100 80GB HBM3 in cluster lab:" in said
    assert "  The core of <where> has been above 82 °C for 90 s; it is at <value> now. A" in said
    assert [line for line in said if line.startswith("rule")] == [
        "rule (warning, fires after 10 min):",
        "rule for cluster lab (warning, fires after 1 min 30 s):",
        "rule for NVIDIA H100 80GB HBM3 (warning, fires after 10 min):",
        "rule for NVIDIA H100 80GB HBM3 in cluster lab (warning, fires after 1 min 30 s):",
    ]
    found = json.loads(gpuboards("rules", "explain", "TrainingHung", "--format", "json").stdout)
    (stall,) = (each for each in found["thresholds"] if each["name"] == "stall_after")
    assert stall["elsewhere"] == [{"for_cluster": "lab", "value": 3600.0, "shown": "1 h"}]
    assert [each["elsewhere"] for each in found["thresholds"] if each is not stall] == [[]] * 3


def test_explain_shows_the_rule_in_lines(gpuboards: Run) -> None:
    said = gpuboards("rules", "explain", "GpuIdleButAllocated").stdout
    (rule,) = json.loads(gpuboards("rules", "explain", "GpuIdleButAllocated", "--format", "json").stdout)["rules"]
    query = said.partition("fires at once):\n")[2]
    assert "".join(query.split()) == "".join(rule["expr"].split())
    assert len(query.splitlines()) > 50


def test_explain_as_json(gpuboards: Run) -> None:
    done = gpuboards("rules", "explain", "GpuXidCritical", "--profile", "nv-gpu", "--format", "json")
    found = json.loads(done.stdout)
    assert (found["missing"], found["rules"]) == ("xid", [])
    assert found["profiles"] == ["dcgm", "dcgm-4.9", "nvidia-smi"]
    assert found["runbook"] == "docs/runbooks/GpuXidCritical.md"


def test_test_says_how_many_rules_passed(gpuboards: Run) -> None:
    done = gpuboards("rules", "test", "HostClockOff", "GpuRowRemapFailed")
    assert (done.returncode, done.stdout, done.stderr) == (0, "dcgm: 2 of 2 rules passed\n", "")


def test_a_threshold_that_nothing_can_reach_fails_the_test(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text("alerts: {hang_utilisation: 1}\n")
    done = gpuboards("rules", "test", "GpuCollectiveHang", "--format", "json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert not found["passed"]
    assert "fires and clears" in found["rules"][0]["said"]


def test_the_tests_can_be_kept(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("rules", "test", "GpuLost", "--out", "kept")
    assert (done.returncode, done.stdout) == (0, "kept: 1 alerts\n")
    kept = tmp_path / "kept"
    assert sorted(path.name for path in kept.iterdir()) == ["GpuLost.test.yml", "GpuLost.yml"]
    assert yaml.safe_load((kept / "GpuLost.test.yml").read_text())["rule_files"] == ["GpuLost.yml"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["explain", "GpuLosst"], 2, "did you mean GpuLost"),
        (["test", "GpuLosst"], 2, "did you mean GpuLost"),
        (["test", "GpuXidCritical", "--profile", "nv-gpu"], 2, "nv-gpu does not export xid"),
        (["test", "--out", ""], 2, "without a name"),
        (["test", "GpuLost", "--out", "/dev/null/x"], 2, "cannot be written"),
    ],
)
def test_mistakes(gpuboards: Run, arguments: list[str], code: int, said: str) -> None:
    done = gpuboards("rules", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_promtool_it_says_what_to_install(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("rules", "test", "GpuLost", environment={"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert "apt install prometheus" in done.stderr
