"""Scenarios of the alerts about hardware that fails."""

from __future__ import annotations

from builder.rules.scenarios.courses import grows, level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.thresholds import Thresholds


def _xid(code: int) -> tuple[Input, ...]:
    """An XID as the gauge of the last one says it, and as the counter by code does, which begins with it."""
    return (Input("xid", level(code)), Input("xid_errors", level(1), {"xid": str(code)}))


def _state(alert: str, signal: str, near: str) -> Scenario:
    return Scenario(alert, (Input(signal, level(1)),), (Input(near, level(1)),))


def _counted(alert: str, signal: str, most: float, window: int, lasts: int = 900) -> Scenario:
    """Errors at four times, and at four fifths, of the pace that is one too many."""
    trouble, near = (grows(most / window * factor) for factor in (4, 0.8))
    quick = int(window / 4) + 120
    return Scenario(alert, (Input(signal, trouble),), (Input(signal, near),), latest=quick, lasts=lasts, lingers=window)


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    news = t.xid_window
    return (
        Scenario("GpuXidCritical", _xid(79), _xid(43), news=news, lingers=120, labels={"xid": "79"}),
        Scenario("GpuXidWarning", _xid(31), _xid(79), news=news, lingers=120, labels={"xid": "31"}),
        Scenario("GpuEccUncorrected", (Input("ecc_uncorrected", level(2)),), (Input("ecc_corrected", level(5)),)),
        _counted("GpuEccCorrectedStorm", "ecc_corrected", t.ecc_corrected, t.ecc_window),
        _state("GpuRowRemapPending", "row_remap_pending", near="rows_remapped_corrected"),
        _state("GpuRowRemapFailed", "row_remap_failure", near="row_remap_pending"),
        _state("GpuRetiredPagesPending", "retired_pages_pending", near="row_remap_pending"),
        _counted("GpuNvlinkErrors", "nvlink_errors", max(t.nvlink_errors, 1), t.nvlink_window),
        _counted("GpuPcieReplays", "pcie_replay", max(t.pcie_replays, 1) * t.pcie_window / 60, t.pcie_window),
    )
