"""``gpuboards rules`` as one runs it, and what one can get wrong with it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD

FILES = ["alerts.yml", "baselines.yml", "cluster.yml", "device.yml", "job.yml", "node.yml"]


def test_build_then_check_then_build_again(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("rules", "build")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "provisioning/prometheus/rules: 6 written, 0 removed, 0 unchanged\n"
    folder = tmp_path / "provisioning/prometheus/rules"
    assert sorted(file.name for file in folder.glob("[!.]*")) == FILES

    done = gpuboards("rules", "build", "--check")
    is_right = "provisioning/prometheus/rules is what the configuration says\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, is_right, "")
    assert gpuboards("rules", "build").stdout.endswith("0 written, 0 removed, 6 unchanged\n")

    (folder / "node.yml").write_text("groups: []\n")
    done = gpuboards("rules", "build", "--check")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "provisioning/prometheus/rules differs from what the configuration says:",
        "  changed  node.yml",
        "fix: run `gpuboards rules build`",
    ]


def test_check_with_other_settings_says_which(gpuboards: Run, tmp_path: Path) -> None:
    gpuboards("rules", "build", "--stage", "observe", "--out", "rules")
    (tmp_path / "gpuboards.yaml").write_text("alerts: {temperature_warning: 83, stage: {GpuXidCritical: warn}}\n")
    done = gpuboards("rules", "build", "--check", "--out", "rules")
    assert done.returncode == 1
    then = "alerts standard, stage observe"
    now = "alerts temperature_warning=83, stage GpuXidCritical=warn, stage full"
    assert done.stdout.splitlines()[-2:] == [
        f"it was built with {then}, and is compared with {now}",
        "fix: run `gpuboards rules build --out rules`, or compare it with what it was built with:"
        " `gpuboards rules build --check --out rules --stage observe`",
    ]


def test_a_build_tells_of_rules_made_with_other_settings(
    gpuboards: Run, boards: Callable[..., Path], tmp_path: Path
) -> None:
    boards(mine=GOOD)
    build = ("build", "--dashboards", "boards", "--profile", "nvidia-smi")
    gpuboards("rules", "build", "--stage", "warn")
    (tmp_path / "gpuboards.yaml").write_text("alerts: {models: {NVIDIA H200: {headroom: 4}}}\n")
    done, checked = gpuboards(*build), gpuboards(*build, "--check")
    assert (done.returncode, checked.returncode) == (0, 0), "the boards are right all the same"
    mend = "gpuboards rules build --profile nvidia-smi --stage warn"
    note = (
        "note: the rules in provisioning/prometheus/rules were made with profile dcgm, alerts standard,"
        f" and this build has profile nvidia-smi, alerts NVIDIA H200 headroom=4: run `{mend}`\n"
    )
    assert done.stderr == checked.stderr == note
    gpuboards(*mend.split()[1:])
    assert gpuboards(*build).stderr == ""


def test_a_build_tells_of_damaged_rules_and_goes_on(
    gpuboards: Run, boards: Callable[..., Path], tmp_path: Path
) -> None:
    boards(mine=GOOD)
    rules = tmp_path / "out/prometheus/rules"
    rules.mkdir(parents=True)
    (rules / ".gpuboards-manifest.json").write_text("<<<<<<<")
    done = gpuboards("build", "--dashboards", "boards", "--out", "out")
    assert done.returncode == 0
    assert "note: what the rules in out/prometheus/rules were made with cannot be told" in done.stderr


def test_what_another_build_wrote_of_a_profile_goes(gpuboards: Run, tmp_path: Path) -> None:
    gpuboards("rules", "build", "--out", "rules")
    mine = tmp_path / "rules/mine.yml"
    mine.write_text("groups: []\n")
    (tmp_path / "gpuboards.yaml").write_text("training: none\n")
    done = gpuboards("rules", "build", "--out", "rules")
    assert done.stdout == "rules: 2 written, 1 removed, 3 unchanged\n"
    assert not (tmp_path / "rules/job.yml").exists() and mine.exists()


def test_somebody_elses_file_is_left_alone(gpuboards: Run, tmp_path: Path) -> None:
    theirs = tmp_path / "rules/node.yml"
    theirs.parent.mkdir()
    theirs.write_text("groups: []\n")
    done = gpuboards("rules", "build", "--out", "rules")
    assert done.returncode == 2 and "rules/node.yml: exists, differs" in done.stderr
    assert [file.name for file in theirs.parent.iterdir()] == ["node.yml"]
    assert gpuboards("rules", "build", "--out", "rules", "--force").returncode == 0


def test_for_the_operator(gpuboards: Run, tmp_path: Path) -> None:
    assert gpuboards("rules", "build", "--format", "prometheusrule", "--out", "k8s").returncode == 0
    document = yaml.safe_load((tmp_path / "k8s/node.yml").read_text())
    assert (document["kind"], document["metadata"]["name"]) == ("PrometheusRule", "gpuboards-node")


def test_what_the_version_cannot_take_is_said(gpuboards: Run, tmp_path: Path) -> None:
    (tmp_path / "gpuboards.yaml").write_text("recording: {query_offset: 30}\n")
    done = gpuboards("rules", "build", "--out", "rules")
    assert "prometheus_version is 2.42: query_offset (Prometheus 2.53)" in done.stderr
    assert "query_offset" not in (tmp_path / "rules/node.yml").read_text()
    (tmp_path / "gpuboards.yaml").write_text("recording: {query_offset: 30}\nprometheus_version: '3.1'\n")
    done = gpuboards("rules", "build", "--out", "rules")
    assert (done.returncode, done.stderr) == (0, "")
    assert "query_offset: 30s" in (tmp_path / "rules/node.yml").read_text()


@pytest.mark.live
def test_check(gpuboards: Run) -> None:
    done = gpuboards("rules", "check")
    assert (done.returncode, done.stdout) == (0, "")
    assert "rules for dcgm: 0 findings" in done.stderr
    assert json.loads(gpuboards("rules", "check", "--format", "json").stdout) == {"findings": [], "promtool": []}


def test_check_without_promtool(gpuboards: Run, tmp_path: Path) -> None:
    done = gpuboards("rules", "check", "--format", "json", environment={"PATH": str(tmp_path)})
    assert (done.returncode, json.loads(done.stdout)) == (0, {"findings": [], "promtool": None})
    assert "promtool is not installed" in done.stderr


def test_what_promtool_says_is_a_finding(gpuboards: Run, tmp_path: Path) -> None:
    tool = tmp_path / "bin/promtool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho 'device.yml: 1 rule is wrong' >&2\nexit 3\n")
    tool.chmod(0o755)
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    done = gpuboards("rules", "check", environment={"PATH": path})
    assert (done.returncode, done.stdout) == (1, "promtool: device.yml: 1 rule is wrong\n")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("recording: {also: dcgn}\n", "gpuboards.yaml:1: recording.also: unknown profile 'dcgn'"),
        ("profiles: {dcgm: {interval: 120}}\n", "profiles.dcgm.interval is 120 s"),
        ("prometheus_version: '2.1'\n", "is not a version that rules are written for"),
    ],
)
@pytest.mark.parametrize("command", ["build", "check"])
def test_configuration(gpuboards: Run, tmp_path: Path, command: str, content: str, expected: str) -> None:
    (tmp_path / "gpuboards.yaml").write_text(content)
    done = gpuboards("rules", command)
    assert done.returncode == 2 and expected in done.stderr and "Traceback" not in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["gpuboards.yaml"]
