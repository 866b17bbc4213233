"""Scenarios of the alerts about hardware that fails."""

from __future__ import annotations

from builder.rules.scenarios.courses import grows, level
from builder.rules.scenarios.scenario import Input, Scenario


def _xid(code: int) -> tuple[Input, ...]:
    """An XID as the gauge of the last one says it, and as the counter by code does, which begins with it."""
    return (Input("xid", level(code)), Input("xid_errors", level(1), {"xid": str(code)}))


def _state(alert: str, signal: str, near: str) -> Scenario:
    return Scenario(alert, (Input(signal, level(1)),), (Input(near, level(1)),))


SCENARIOS = (
    Scenario("GpuXidCritical", _xid(79), _xid(43), news=900, lingers=120, labels={"xid": "79"}),
    Scenario("GpuXidWarning", _xid(31), _xid(79), news=900, lingers=120, labels={"xid": "31"}),
    Scenario("GpuEccUncorrected", (Input("ecc_uncorrected", level(2)),), (Input("ecc_corrected", level(5)),)),
    Scenario(
        "GpuEccCorrectedStorm",
        trouble=(Input("ecc_corrected", grows(1)),),
        near=(Input("ecc_corrected", grows(0.02)),),
        latest=180,
        lingers=3600,
    ),
    _state("GpuRowRemapPending", "row_remap_pending", near="rows_remapped_corrected"),
    _state("GpuRowRemapFailed", "row_remap_failure", near="row_remap_pending"),
    _state("GpuRetiredPagesPending", "retired_pages_pending", near="row_remap_pending"),
    Scenario(
        "GpuNvlinkErrors",
        trouble=(Input("nvlink_errors", grows(0.5)),),
        near=(Input("nvlink_errors", grows(0.008)),),
        latest=180,
        lingers=960,
    ),
    Scenario(
        "GpuPcieReplays",
        trouble=(Input("pcie_replay", grows(0.5)),),
        near=(Input("pcie_replay", grows(0.1)),),
        soonest=60,
        latest=300,
        lingers=540,
    ),
)
