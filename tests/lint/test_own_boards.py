"""Noise is a defect: our own boards have no findings, whatever the exporter, and no exemptions either."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from builder.build import build_boards
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, TRAINING_PROFILES
from builder.config import Config
from builder.lint import LintConfig, Severity, Subject, lint
from builder.lint.exemption_file import NAME
from builder.load import load
from builder.targets.dashboard_files import load_all

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_boards_have_no_findings(profile: str) -> None:
    boards, _ = build_boards(load(ROOT / "dashboards"), replace(Config(), profile=profile))
    subjects = [Subject(f"{uid}.json", board) for uid, board in boards.items()]
    chosen = (GPU_PROFILES[profile], *TRAINING_PROFILES.values(), *HOST_PROFILES.values())
    assert [str(f) for f in lint(subjects, LintConfig(chosen, whole=True))] == []


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_examples_have_no_findings(profile: str) -> None:
    boards, _ = build_boards(load(ROOT / "docs/examples"), replace(Config(), profile=profile))
    subjects = [Subject(f"{uid}.json", board) for uid, board in boards.items()]
    found = lint(subjects, LintConfig(whole=True, others=frozenset(("gpu-detail", "gpu-node"))))
    assert [f.summary for f in found if f.severity > Severity.INFO] == []


def test_the_mounted_files_have_no_findings() -> None:
    subjects, problems, _ = load_all([str(ROOT / "provisioning/dashboards")])
    assert problems == []
    assert len(subjects) >= 5
    assert [str(f) for f in lint(subjects, LintConfig(whole=True))] == []


def test_nothing_is_exempt() -> None:
    assert not (ROOT / NAME).exists()


def test_a_slip_in_one_of_them_is_found() -> None:
    boards, _ = build_boards(load(ROOT / "dashboards"), Config())
    board = boards["gpu-thermal"]
    panel = next(p for p in board["panels"] if p.get("targets"))
    panel["targets"][0]["expr"] = "sum(rate(DCGM_FI_DEV_GPU_TEMP[30s]))"
    rules = {f.rule for f in lint([Subject("gpu-thermal.json", board)])}
    assert {"rate-on-gauge", "window-too-short", "sum-over-duplicates"} <= rules
