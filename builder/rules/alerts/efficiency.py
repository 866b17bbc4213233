"""Cards that are held and do no work, or suddenly less than before."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries import stalls
from builder.queries.source import Source
from builder.rules.alerts.conditions import gap_of
from builder.rules.alerts.definition import Alert, Shown
from builder.rules.encode import duration
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_PROCESSES = "ssh {node} nvidia-smi -i {card} --query-compute-apps=pid,process_name,used_memory --format=csv"


def _idle(source: Source, thresholds: Thresholds) -> Expr:
    return stalls.idle_allocated(
        duration(thresholds.idle_hold), thresholds.idle_utilisation, thresholds.idle_memory, gap_of(thresholds)
    ).ask(source)


def _dropped(source: Source, thresholds: Thresholds) -> Expr:
    return stalls.dropped(
        duration(thresholds.drop_window), thresholds.drop_points, thresholds.drop_below, gap_of(thresholds)
    ).ask(source)


def _spins(source: Source, thresholds: Thresholds) -> Expr:
    return stalls.collective_hang(
        duration(thresholds.hang_window),
        thresholds.hang_utilisation,
        thresholds.hang_power,
        thresholds.hang_tensor,
        gap_of(thresholds),
    ).ask(source)


ALERTS = (
    Alert(
        "GpuIdleButAllocated",
        Scope.CARD,
        Severity.CRITICAL,
        _idle,
        summary="{where} is idle and holds {value} of its memory",
        description="{where} was below {idle_utilisation} utilisation over the last {idle_hold}, while {value} of its "
        "memory was held. Nobody else can use the card.",
        command=_PROCESSES,
        board="gpu-detail",
        shows=Shown.RATIO,
    ),
    Alert(
        "GpuUtilisationDropped",
        Scope.CARD,
        Severity.WARNING,
        _dropped,
        summary="The utilisation of {where} fell to {value}",
        description="{where} is at {value}, more than {drop_points} (in points) below its own mean of the last "
        "{drop_window}, and its job still holds the memory.",
        command=_PROCESSES,
        board="gpu-detail",
        shows=Shown.RATIO,
        hold="drop_hold",
    ),
    Alert(
        "GpuCollectiveHang",
        Scope.CARD,
        Severity.CRITICAL,
        _spins,
        summary="A collective seems to hang on {where}",
        description="{where} has been fully utilised over {hang_window} and draws {value} of its power limit: it waits "
        "for a rank that does not come. The culprit is the card of the job that is idle or gone.",
        command="ssh {node} 'nvidia-smi -i {card} --query-compute-apps=pid --format=csv,noheader | "
        "xargs -n1 py-spy dump --pid'",
        board="gpu-detail",
        shows=Shown.RATIO,
        hold="hang_hold",
    ),
)
