"""Device memory: too full, near the framework's limit, leaking, or held by somebody else."""

from __future__ import annotations

from builder.errors import SignalMissing
from builder.promql.expr import Expr
from builder.queries import growth, memory
from builder.queries.source import Source
from builder.rules.alerts.conditions import gap_of, now
from builder.rules.alerts.definition import Alert, Shown
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_PROCESSES = "ssh {node} nvidia-smi -i {card} --query-compute-apps=pid,process_name,used_memory --format=csv"


def _full(source: Source, thresholds: Thresholds) -> Expr:
    full = now(memory.memory_share, source, thresholds).above(thresholds.memory_pressure)
    try:
        told = now(memory.framework_in_use, source, thresholds)
    except SignalMissing:
        return full
    # A framework may take all memory at its start: full is then as it should be, and its own limit what counts.
    return full.join("unless", told, on=source.card)


def _near_limit(source: Source, thresholds: Thresholds) -> Expr:
    return now(memory.framework_share_of_limit, source, thresholds).above(thresholds.framework_memory)


def _leaks(source: Source, thresholds: Thresholds) -> Expr:
    hours = growth.hours_until_full(thresholds.leak_window, thresholds.leak_growth, gap_of(thresholds))
    return hours.ask(source).below(thresholds.leak_hours)


def _gap_grows(source: Source, thresholds: Thresholds) -> Expr:
    share = growth.gap_growth_share(thresholds.gap_window, gap_of(thresholds))
    return share.ask(source).above(thresholds.gap_growth)


ALERTS = (
    Alert(
        "GpuMemoryPressure",
        Scope.CARD,
        Severity.WARNING,
        _full,
        summary="The memory of {where} is {value} full",
        description="More than {memory_pressure} of the memory of {where} has been held for {memory_pressure_hold}; "
        "it is {value} now, and no framework says how much of it is in use.",
        command=_PROCESSES,
        board="gpu-memory",
        shows=Shown.RATIO,
        hold="memory_pressure_hold",
    ),
    Alert(
        "GpuFrameworkMemoryNearLimit",
        Scope.CARD,
        Severity.WARNING,
        _near_limit,
        summary="The training on {where} is at {value} of its memory limit",
        description="Live tensors have been above {framework_memory} of what the framework may hold on {where} for "
        "{framework_memory_hold}; they are at {value} now. The next larger batch fails with out of memory.",
        command=_PROCESSES,
        board="gpu-memory",
        shows=Shown.RATIO,
        hold="framework_memory_hold",
    ),
    Alert(
        "GpuMemoryLeak",
        Scope.CARD,
        Severity.WARNING,
        _leaks,
        summary="The training on {where} leaks memory: full in {value}",
        description="The least memory in live tensors on {where} grew steadily over the last {leak_window}. At this "
        "pace the framework's limit is reached in {value}, and the job ends with out of memory.",
        command=_PROCESSES,
        board="gpu-memory",
        shows=Shown.HOURS,
        hold="leak_hold",
        keep="leak_keep",
    ),
    Alert(
        "GpuMemoryGapGrowing",
        Scope.CARD,
        Severity.WARNING,
        _gap_grows,
        summary="Memory that the framework does not know of grows on {where}",
        description="Memory on {where} outside of the training framework grew by {value} of the card within "
        "{gap_window}: another process came, or contexts are left behind.",
        command=_PROCESSES,
        board="gpu-memory",
        shows=Shown.RATIO,
        hold="gap_hold",
    ),
)
