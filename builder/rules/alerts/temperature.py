"""Heat: the core in three tiers, the card's own limit, and the memory."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries import thermal
from builder.queries.question import Question
from builder.queries.source import Source
from builder.rules.alerts.conditions import now
from builder.rules.alerts.definition import Alert, Condition, Shown
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

_LOOK = "ssh {node} nvidia-smi -q -d TEMPERATURE,PERFORMANCE -i {card}"


def _above(threshold: str, question: Question = thermal.temperature) -> Condition:
    def condition(source: Source, thresholds: Thresholds) -> Expr:
        return now(question, source, thresholds).above(thresholds.named(threshold))

    return condition


def _near_limit(source: Source, thresholds: Thresholds) -> Expr:
    return now(thermal.thermal_headroom, source, thresholds).below(thresholds.headroom)


ALERTS = (
    Alert(
        "GpuTemperatureNotice",
        Scope.CARD,
        Severity.INFO,
        _above("temperature_notice"),
        summary="{where} is warm: {value}",
        description="The core of {where} has been above {temperature_notice} for {temperature_notice_hold}; it is at "
        "{value} now. Nothing is wrong yet.",
        command=_LOOK,
        board="gpu-thermal",
        shows=Shown.CELSIUS,
        hold="temperature_notice_hold",
    ),
    Alert(
        "GpuTemperatureHigh",
        Scope.CARD,
        Severity.WARNING,
        _above("temperature_warning"),
        summary="{where} is hot: {value}",
        description="The core of {where} has been above {temperature_warning} for {temperature_warning_hold}; it is "
        "at {value} now. A little more, and the card slows itself down.",
        command=_LOOK,
        board="gpu-thermal",
        shows=Shown.CELSIUS,
        hold="temperature_warning_hold",
    ),
    Alert(
        "GpuTemperatureCritical",
        Scope.CARD,
        Severity.CRITICAL,
        _above("temperature_critical"),
        summary="{where} is too hot: {value}",
        description="The core of {where} has been above {temperature_critical} for {temperature_critical_hold}; it is "
        "at {value} now. Cooling has failed, or the air that comes in is too warm.",
        command=_LOOK,
        board="gpu-thermal",
        shows=Shown.CELSIUS,
        hold="temperature_critical_hold",
    ),
    Alert(
        "GpuNearSlowdownTemperature",
        Scope.CARD,
        Severity.WARNING,
        _near_limit,
        summary="{where} is {value} below its own slowdown limit",
        description="{where} has been less than {headroom} below the temperature at which it slows itself down for "
        "{headroom_hold}; {value} are left now.",
        command=_LOOK,
        board="gpu-thermal",
        shows=Shown.CELSIUS,
        hold="headroom_hold",
    ),
    Alert(
        "GpuMemoryTemperatureHigh",
        Scope.CARD,
        Severity.WARNING,
        _above("memory_temperature_warning", thermal.memory_temperature),
        summary="The memory of {where} is hot: {value}",
        description="The memory of {where} has been above {memory_temperature_warning} for "
        "{memory_temperature_warning_hold}; it is at {value} now.",
        command=_LOOK,
        board="gpu-thermal",
        shows=Shown.CELSIUS,
        hold="memory_temperature_warning_hold",
    ),
    Alert(
        "GpuMemoryTemperatureCritical",
        Scope.CARD,
        Severity.CRITICAL,
        _above("memory_temperature_critical", thermal.memory_temperature),
        summary="The memory of {where} is too hot: {value}",
        description="The memory of {where} has been above {memory_temperature_critical} for "
        "{memory_temperature_critical_hold}; it is at {value} now. The card slows its memory down, and errors follow.",
        command=_LOOK,
        board="gpu-thermal",
        shows=Shown.CELSIUS,
        hold="memory_temperature_critical_hold",
    ),
)
