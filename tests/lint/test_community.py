"""What lint says of dashboards that others published. Each entry was held against the dashboard and is true."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from builder.lint import Finding, LintConfig, lint
from builder.targets.dashboard_files import load_all

REFERENCE = os.environ.get("GPUBOARDS_REFERENCE", "")
needs_reference = pytest.mark.skipif(
    not REFERENCE, reason="GPUBOARDS_REFERENCE is not set: dashboards of others are not looked at"
)

_OLD_DCGM_CURVES = [
    "GPU Temperature",
    "GPU Power Usage",
    "GPU SM Clocks",
    "GPU Memory Clocks",
    "GPU Utilization",
    "GPU Mem Cpy Utilization",
    "GPU Framebuffer Mem Used",
    "GPU Framebuffer Mem Free",
]
_DCGM_CURVES = [
    "GPU Temperature",
    "GPU Power Usage",
    "GPU SM Clocks",
    "GPU Utilization",
    "GPU Framebuffer Mem Used",
    "Tensor Core Utilization",
]

EXPECTED: dict[str, dict[str, list[str]]] = {
    "dcgm-exporter__9e83643__dcgm-exporter-dashboard.json": {
        # ${DS_PROMETHEUS} is an input of the import dialog.
        "hard-coded-datasource": ["GPU Temperature"],
        # "GPU {{gpu}}" of whatever hosts the data source knows, without a single matcher.
        "legend-without-host": _OLD_DCGM_CURVES,
        "too-many-series": _OLD_DCGM_CURVES,
        "missing-description": ["GPU Avg. Temp", "GPU Power Total", *_OLD_DCGM_CURVES],
        "removed-panel-type": _OLD_DCGM_CURVES,
        "sum-over-duplicates": ["GPU Power Total"],
        # MHz shown as hertz, MiB shown as decbytes.
        "unit-mismatch": [
            "GPU SM Clocks",
            "GPU Memory Clocks",
            "GPU Framebuffer Mem Used",
            "GPU Framebuffer Mem Free",
        ],
        "unused-variable": [""],  # $gpu
    },
    "dcgm-exporter__HEAD__dcgm-exporter-dashboard.json": {
        # $instance may hold several hosts.
        "legend-without-host": _DCGM_CURVES,
        "missing-description": ["GPU Avg. Temp", "GPU Power Total", *_DCGM_CURVES],
        # Both this panel and "GPU Utilization" are at x 0, y 24.
        "overlap": ["Tensor Core Utilization"],
        "removed-panel-type": _DCGM_CURVES,
        "sum-over-duplicates": ["GPU Power Total"],
        # MiB shown as MB.
        "unit-mismatch": ["GPU Framebuffer Mem Used"],
    },
    "nvidia_gpu_exporter__HEAD__dashboard-14574.json": {},
    "nvidia_gpu_exporter__v0.3.0__dashboard.json": {
        "hard-coded-datasource": ["Name"],
        "removed-panel-type": [
            "Memory Utilization %",
            "GPU Utilization %",
            "Memory Allocation",
            "Temperature",
            "Power Draw",
            "Fan Speed %",
            "Graphics Clock Speed",
            "Video Clock Speed",
            "SM Clock Speed",
            "Memory Clock Speed",
        ],
    },
    "soperator__gpu_cluster_stats.json": {
        # Tiles with textMode "none".
        "colour-only-meaning": [
            "Per-Node Compute Density — Avg over range",
            "Per-Node GPU Temperature — Max over range",
        ],
        # SM_ACTIVE is commented out in the default counters file, and no description says so.
        "not-exported-by-default": [
            "Compute Density %",
            "Cluster Compute Density (SM Active %)",
            "Per-Node Compute Density (SM Active %)",
            "Per-Node Compute Density — Avg over range",
            "Per-Node Compute Density Over Time (SM Active %)",
        ],
        "sum-over-duplicates": [
            "Total GPUs",
            "Active GPUs",
            "Idle GPUs",
            "Cluster Power",
            "GPUs In Use vs Idle",
            "GPUs In Use vs Idle",
            "Cluster GPU Power (kW)",
            "Cluster VRAM Usage",
            "Cluster VRAM Usage",
        ],
        "unit-mismatch": ["Cluster VRAM Usage", "Cluster VRAM Usage"],
    },
}
"""Panels by file and rule; a finding about the board itself has no panel."""


def _files() -> Path:
    return Path(REFERENCE, "data", "dashboards")


@needs_reference
@pytest.mark.parametrize("name", EXPECTED)
def test_every_finding_is_expected_and_every_expected_one_found(name: str) -> None:
    subjects, problems, _ = load_all([str(_files() / name)])
    assert problems == []
    found = _by_rule(lint(subjects))
    assert found == {rule: sorted(panels) for rule, panels in EXPECTED[name].items()}


@needs_reference
def test_all_published_dashboards_have_expectations() -> None:
    assert {file.name for file in _files().glob("*.json")} == EXPECTED.keys()


@needs_reference
def test_two_versions_of_a_board_in_one_folder_are_two_boards_with_one_uid() -> None:
    subjects, _, _ = load_all([str(_files())])
    doubled = [f for f in lint(subjects, LintConfig(whole=True)) if f.rule.startswith("duplicate-")]
    assert [(f.rule, f.file.rpartition("/")[2].partition("__")[0]) for f in doubled] == [
        ("duplicate-uid", "dcgm-exporter"),
        ("duplicate-uid", "nvidia_gpu_exporter"),
    ]


@needs_reference
def test_findings_point_at_the_line() -> None:
    file = _files() / "dcgm-exporter__HEAD__dcgm-exporter-dashboard.json"
    subjects, _, _ = load_all([str(file)])
    lines = file.read_text().splitlines()
    for finding in lint(subjects):
        key = str(next(step for step in reversed(finding.place) if isinstance(step, str)))
        line = lines[finding.line - 1]
        is_member = isinstance(finding.place[-1], str)
        assert line[finding.column - 1 :].startswith(f'"{key}"' if is_member else "{"), finding


def _by_rule(findings: list[Finding]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in findings:
        found.setdefault(finding.rule, []).append(finding.panel)
    return {rule: sorted(panels) for rule, panels in found.items()}
