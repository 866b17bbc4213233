"""Clocks that something reduces: heat, a power brake, or a power limit lower than that of the card's peers."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries import events, power
from builder.queries.source import Source
from builder.rules.alerts.conditions import gap_of
from builder.rules.alerts.definition import Alert, Shown
from builder.rules.encode import duration
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_HEAT = ("throttle_sw_thermal", "throttle_hw_thermal")
_BRAKE = ("throttle_power_brake",)


def _slowed(source: Source, thresholds: Thresholds) -> Expr:
    share = events.share_of_time(_HEAT, duration(thresholds.slowdown_window))
    return share.ask(source).above(thresholds.slowdown_share)


def _braked(source: Source, thresholds: Thresholds) -> Expr:
    share = events.share_of_time(_BRAKE, duration(thresholds.slowdown_window))
    return share.ask(source).above(thresholds.power_brake_share)


def _capped(source: Source, thresholds: Thresholds) -> Expr:
    limit = power.limit_against_peers(gap_of(thresholds)).ask(source).below(thresholds.power_limit_share)
    # An evaluation draws less for some minutes; a card that runs into its limit in between is held by it all the same.
    peak = power.power_peak_share(duration(thresholds.power_window), gap_of(thresholds))
    near = peak.ask(source).above(thresholds.power_near_limit)
    return limit.join("and", near, on=source.card)


ALERTS = (
    Alert(
        "GpuThermalSlowdown",
        Scope.CARD,
        Severity.WARNING,
        _slowed,
        summary="Heat slows {where} down",
        description="Heat reduced the clocks of {where} in {value} of the last {slowdown_window}. In a synchronous job "
        "all other cards wait for this one.",
        command="ssh {node} nvidia-smi -q -d TEMPERATURE,PERFORMANCE,CLOCK -i {card}",
        board="gpu-thermal",
        shows=Shown.RATIO,
        hold="slowdown_hold",
    ),
    Alert(
        "GpuPowerBrake",
        Scope.CARD,
        Severity.CRITICAL,
        _braked,
        summary="A power brake slows {where} down",
        description="An external power brake signal reduced the clocks of {where} in {value} of the last "
        "{slowdown_window}: a power supply has failed, or the rack draws more than it may.",
        command="ssh {node} 'nvidia-smi -q -d PERFORMANCE,POWER -i {card}; ipmitool sdr type \"Power Supply\"'",
        board="gpu-thermal",
        shows=Shown.RATIO,
        hold="power_brake_hold",
    ),
    Alert(
        "GpuPowerCappedBelowPeers",
        Scope.CARD,
        Severity.WARNING,
        _capped,
        summary="{where} has a lower power limit than its peers, and runs into it",
        description="The power limit of {where} is {value} of what is usual for its model in this cluster, and the "
        "card has been held by it for {power_cap_hold}.",
        command="ssh {node} nvidia-smi -q -d POWER -i {card}",
        board="gpu-thermal",
        shows=Shown.RATIO,
        hold="power_cap_hold",
    ),
)
