"""What is not there: a card, the cards of a node, an exporter's answers, its readings, the right time."""

from __future__ import annotations

from builder.promql.expr import Expr, call
from builder.queries import events, telemetry
from builder.queries.source import Source
from builder.rules.alerts.conditions import gap_of, now
from builder.rules.alerts.definition import Alert, Shown
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_REACH = "ssh {node} 'nvidia-smi --list-gpus; systemctl --no-pager status \"*exporter*\"'"


def _lost(source: Source, thresholds: Thresholds) -> Expr:
    return events.vanished_cards(gap_of(thresholds)).ask(source)


def _missing(source: Source, thresholds: Thresholds) -> Expr:
    return now(telemetry.missing_cards, source, thresholds)


def _silent(source: Source, thresholds: Thresholds) -> Expr:
    silent = telemetry.silent_nodes.ask(source)
    if not source.has("node_gpus"):
        return silent
    return silent.join("unless", events.removed_nodes(gap_of(thresholds)).ask(source), on=("cluster", "node"))


def _blind(source: Source, thresholds: Thresholds) -> Expr:
    return events.blind_nodes(gap_of(thresholds)).ask(source)


def _clock(source: Source, thresholds: Thresholds) -> Expr:
    return call("abs", now(telemetry.clock_offset, source, thresholds)).above(thresholds.clock_offset)


ALERTS = (
    Alert(
        "GpuLost",
        Scope.CARD,
        Severity.CRITICAL,
        _lost,
        summary="{where} is gone",
        description="{where} reported within the last day and does not now, while its node still reports: it fell off "
        "the bus, or was taken out.",
        command="ssh {node} 'nvidia-smi --list-gpus; lspci -d 10de:; journalctl --dmesg --since -1h | grep -i xid'",
        board="gpu-node",
        shows=Shown.COUNT,
        hold="lost_hold",
        outlives=True,
    ),
    Alert(
        "GpuNodeCardsMissing",
        Scope.NODE,
        Severity.WARNING,
        _missing,
        summary="{value} cards of {where} do not report",
        description="Kubernetes says that {where} has more cards than report: {value} are missing.",
        command="ssh {node} nvidia-smi --list-gpus",
        board="gpu-node",
        shows=Shown.COUNT,
        hold="missing_hold",
        outlives=True,
    ),
    Alert(
        "GpuExporterDown",
        Scope.NODE,
        Severity.CRITICAL,
        _silent,
        summary="{where} has gone silent",
        description="No card of {where} reports, although they did within the last day: the exporter, the network or "
        "the node is down. Nothing else about these cards can be known until it is back.",
        command=_REACH,
        board="gpu-health",
        shows=Shown.COUNT,
        hold="silent_hold",
        outlives=True,
    ),
    Alert(
        "GpuExporterBlind",
        Scope.NODE,
        Severity.WARNING,
        _blind,
        summary="The exporter of {where} gives no readings of {value} cards",
        description="The exporter of {where} says that {value} cards are there, but gives no temperature of them, "
        "which it did within the last hour. Alerts on readings cannot fire for these cards.",
        command=_REACH,
        board="gpu-health",
        shows=Shown.COUNT,
        hold="blind_hold",
    ),
    Alert(
        "HostClockOff",
        Scope.NODE,
        Severity.WARNING,
        _clock,
        summary="The clock of {where} is off by {value}",
        description="The clock of {where} has been off by more than {clock_offset} for {clock_hold}; it is {value} "
        "now. Its logs and metrics do not line up with those of others.",
        command="ssh {node} timedatectl timesync-status",
        board="gpu-health",
        shows=Shown.SECONDS,
        hold="clock_hold",
    ),
)
