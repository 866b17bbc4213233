"""Hardware that fails: XIDs by class, memory errors, rows and pages, NVLink, PCIe."""

from __future__ import annotations

from builder.catalog import xid
from builder.promql.expr import Expr
from builder.queries import events, health
from builder.queries.source import Source
from builder.rules.alerts.conditions import gap_of, now
from builder.rules.alerts.definition import Alert, Condition, Shown
from builder.rules.encode import duration
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_LOG = "ssh {node} 'journalctl --dmesg --since -1h | grep -i xid'"
_ECC = "ssh {node} nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT -i {card}"


def _xid(severity: xid.Severity) -> Condition:
    def condition(source: Source, thresholds: Thresholds) -> Expr:
        news = events.new_xids_of(severity, duration(thresholds.xid_window), gap_of(thresholds))
        return news.ask(source)

    return condition


def _ecc_uncorrected(source: Source, thresholds: Thresholds) -> Expr:
    return now(health.ecc_uncorrected, source, thresholds).above(0)


def _ecc_corrected(source: Source, thresholds: Thresholds) -> Expr:
    counted = events.counted_within("ecc_corrected", duration(thresholds.ecc_window))
    return counted.ask(source).above(thresholds.ecc_corrected)


def _remap_pending(source: Source, thresholds: Thresholds) -> Expr:
    return now(health.row_remap_pending, source, thresholds).above(0)


def _remap_failed(source: Source, thresholds: Thresholds) -> Expr:
    return now(health.row_remap_failure, source, thresholds).above(0)


def _pages_pending(source: Source, thresholds: Thresholds) -> Expr:
    return now(health.retired_pages_pending, source, thresholds).above(0)


def _nvlink(source: Source, thresholds: Thresholds) -> Expr:
    counted = events.counted_within("nvlink_errors", duration(thresholds.nvlink_window))
    return counted.ask(source).above(thresholds.nvlink_errors)


def _pcie(source: Source, thresholds: Thresholds) -> Expr:
    counted = events.counted_within("pcie_replay", duration(thresholds.pcie_window))
    return (counted.ask(source) / (thresholds.pcie_window / 60)).above(thresholds.pcie_replays)


ALERTS = (
    Alert(
        "GpuXidCritical",
        Scope.CARD,
        Severity.CRITICAL,
        _xid(xid.Severity.CRITICAL),
        summary="XID {xid} on {where}: {xid_meaning}",
        description="The driver reported XID {xid} on {where} within the last {xid_window}: {xid_meaning}. "
        "What to do: {xid_action}.",
        command=_LOG,
        board="gpu-health",
        shows=Shown.COUNT,
        keep="",
    ),
    Alert(
        "GpuXidWarning",
        Scope.CARD,
        Severity.WARNING,
        _xid(xid.Severity.WARNING),
        summary="XID {xid} on {where}: {xid_meaning}",
        description="The driver reported XID {xid} on {where} within the last {xid_window}: {xid_meaning}. "
        "What to do: {xid_action}.",
        command=_LOG,
        board="gpu-health",
        shows=Shown.COUNT,
        keep="",
    ),
    Alert(
        "GpuEccUncorrected",
        Scope.CARD,
        Severity.CRITICAL,
        _ecc_uncorrected,
        summary="{where} has {value} uncorrectable memory errors",
        description="{where} has had {value} memory errors that ECC could not correct since its driver was loaded. "
        "What the job calculated may be wrong.",
        command=_ECC,
        board="gpu-health",
        shows=Shown.COUNT,
    ),
    Alert(
        "GpuEccCorrectedStorm",
        Scope.CARD,
        Severity.WARNING,
        _ecc_corrected,
        summary="{value} corrected memory errors on {where}",
        description="ECC corrected {value} memory errors on {where} within {ecc_window}. Nothing is lost yet; a card "
        "that goes on like this is due for a test.",
        command=_ECC,
        board="gpu-health",
        shows=Shown.COUNT,
    ),
    Alert(
        "GpuRowRemapPending",
        Scope.CARD,
        Severity.WARNING,
        _remap_pending,
        summary="{where} waits for a reset to remap a memory row",
        description="{where} has found a bad memory row, which is remapped when the card is reset.",
        command=_ECC,
        board="gpu-health",
        shows=Shown.COUNT,
    ),
    Alert(
        "GpuRowRemapFailed",
        Scope.CARD,
        Severity.CRITICAL,
        _remap_failed,
        summary="{where} could not remap a memory row",
        description="{where} has no spare rows left for a bad one: the card is due for replacement.",
        command=_ECC,
        board="gpu-health",
        shows=Shown.COUNT,
    ),
    Alert(
        "GpuRetiredPagesPending",
        Scope.CARD,
        Severity.WARNING,
        _pages_pending,
        summary="{where} waits for a reboot to retire a memory page",
        description="{where} has found a bad memory page, which is retired when the driver is loaded again.",
        command=_ECC,
        board="gpu-health",
        shows=Shown.COUNT,
    ),
    Alert(
        "GpuNvlinkErrors",
        Scope.CARD,
        Severity.WARNING,
        _nvlink,
        summary="{value} NVLink errors on {where}",
        description="The NVLinks of {where} had {value} data CRC errors within {nvlink_window}; a healthy link has "
        "none. Collectives over it are slow, and a link that gets worse ends the job.",
        command="ssh {node} nvidia-smi nvlink --errorcounters -i {card}",
        board="gpu-health",
        shows=Shown.COUNT,
        hold="nvlink_hold",
    ),
    Alert(
        "GpuPcieReplays",
        Scope.CARD,
        Severity.WARNING,
        _pcie,
        summary="{where} sends PCIe packets again: {value} a minute",
        description="{where} sent {value} PCIe packets a minute again over the last {pcie_window}, more than "
        "{pcie_replays}: the slot, the riser or the card's contacts.",
        command="ssh {node} nvidia-smi -q -i {card} | grep -i -A3 replay",
        board="gpu-health",
        shows=Shown.RATE,
        hold="pcie_hold",
    ),
)
