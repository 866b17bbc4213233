"""The words of the rules: recording rules, alerting rules and the groups that evaluate them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from builder.promql.expr import Expr


class Severity(Enum):
    """How urgent an alert is; the value is the ``severity`` label that routes look at."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class RecordingRule:
    """The answer to a question, kept under a name (``level:signal:operation``, base units, canonical labels)."""

    record: str
    expr: Expr
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AlertRule:
    """A condition that somebody has to know about, and what they are told.

    ``hold`` is how long it must be true before it fires (Prometheus calls it ``for``), ``keep`` how long it stays
    on after the condition went away (``keep_firing_for``, from Prometheus 2.42 on); both in seconds.
    ``annotations`` may use Prometheus' templates (``{{ $labels.node }}``, ``{{ $value }}``).
    """

    alert: str
    expr: Expr
    severity: Severity
    hold: int = 0
    keep: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """Rules that one Prometheus evaluates one after the other, every ``interval`` seconds."""

    name: str
    rules: tuple[RecordingRule | AlertRule, ...]
    interval: int = 30
