"""The words of the catalogue: kinds, units, scopes, signals, metrics, labels and profiles.

A signal is a question to a card that has one answer whatever the exporter ("memory used, in bytes").
A profile says how one exporter spells the signals and the labels. Everything above the catalogue sees
canonical labels and base units only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

LABELS = ("cluster", "node", "gpu", "uuid", "mig", "model", "namespace", "pod", "container")
"""Canonical labels. Every profile maps its own spelling onto these."""


class Kind(Enum):
    """What a value is in truth, whatever the exporter declares in its TYPE line."""

    GAUGE = "gauge"
    COUNTER = "counter"
    STATE = "state"  # 0 or 1
    CODE = "code"  # a number that names something, such as an XID; arithmetic on it is meaningless
    INFO = "info"  # always 1, the labels are the message


class Unit(Enum):
    """Base units. Conversion happens once, in the profile."""

    RATIO = "ratio"
    BYTES = "bytes"
    BYTES_PER_SECOND = "bytes per second"
    CELSIUS = "celsius"
    WATTS = "watts"
    HERTZ = "hertz"
    JOULES = "joules"
    SECONDS = "seconds"
    COUNT = "count"
    PER_SECOND = "per second"
    NONE = "none"


class Scope(Enum):
    """What one series stands for."""

    BOARD = "board"  # a physical card; repeated unchanged on each of its MIG instances
    INSTANCE = "instance"  # a MIG instance, or the card where there is none
    DEVICE_PROCESS = "process"  # one process on one card
    JOB = "job"  # a training process
    NODE = "node"
    POD = "pod"


@dataclass(frozen=True)
class Signal:
    """One thing that can be measured: name, true kind, base unit and scope."""

    name: str
    kind: Kind
    unit: Unit
    scope: Scope
    help: str


@dataclass(frozen=True)
class Match:
    """A fixed label matcher of a metric or of a label spelling."""

    label: str
    op: str
    value: str


@dataclass(frozen=True)
class Metric:
    """How one exporter spells a signal.

    ``factor`` turns the exported number into the signal's base unit. ``bits`` says which bits of a mask count
    (0 is the lowest); the state is 1 where one of them is set. ``above`` turns a count into a 0/1 state: 1 where
    the value is greater.
    In the exported unit: ``ceiling`` drops samples that cannot be true because they are greater, ``floor``
    those that are not greater (0 where it means "not supported"), and ``cap`` limits slight overshoot.
    ``default`` is False for what the exporter does not export until ``enable`` is done.
    ``verified`` is False where the spelling rests on release notes alone; the configuration can override it.
    ``labels`` overrides the profile's label spellings for a family that spells them differently.
    ``sum_of`` names the metrics whose sum answers the signal; ``name`` is then only what the sum is called.
    ``parts`` are the signals that they answer, all of which must be there, ``extra`` those that may be missing.
    ``born_beside`` names a metric that is always there, for one that appears with the first event that it counts.
    """

    name: str
    factor: float = 1.0
    where: tuple[Match, ...] = ()
    bits: tuple[int, ...] = ()
    above: float | None = None
    ceiling: float | None = None
    floor: float | None = None
    cap: float | None = None
    default: bool = True
    enable: str = ""
    verified: bool = True
    declared: Kind | None = None
    sum_of: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    labels: Mapping[str, tuple[Spelling, ...]] = field(default_factory=dict)
    born_beside: str = ""


@dataclass(frozen=True)
class Spelling:
    """One way a canonical label is written: which label holds it, and what part of its value.

    ``when`` holds matchers that tell this spelling from another one of the same label. ``guard`` holds those that
    must be true where the label is wanted at all (a ``pod`` label is the workload's only where the exporter's own
    pod is not meant). ``pattern`` is an anchored RE2
    expression with one group; ``replacement`` builds the canonical value from it. ``selector`` builds the
    matcher value that finds the spelled label when the canonical value is wanted; ``{value}`` stands for it.
    """

    label: str
    pattern: str = "(.+)"
    replacement: str = "$1"
    selector: str = "{value}"
    guard: tuple[Match, ...] = ()
    when: tuple[Match, ...] = ()

    @property
    def can_be_filtered(self) -> bool:
        """False where the canonical value has something put on that no selector can take off again."""
        return self.replacement == "$1" or self.selector != "{value}"

    def is_plain(self, canonical: str) -> bool:
        """True where the label already has the canonical name and value."""
        return self.label == canonical and self.pattern == "(.+)" and self.replacement == "$1"


@dataclass(frozen=True)
class Identity:
    """An info series that carries labels which the value series lack; joined on ``on`` (canonical labels)."""

    metric: str
    on: tuple[str, ...]
    provides: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    """How one exporter spells signals and labels.

    ``signals`` lists, per signal, the metrics that can answer it, best first; they are joined with ``or``.
    ``card`` is the key of one physical card in canonical labels. ``labels`` lists the spellings of each
    canonical label, best first. ``interval`` is how often the exporter renews its values, in seconds.
    """

    name: str
    title: str
    exporter: str
    port: int
    interval: int
    signals: Mapping[str, tuple[Metric, ...]]
    labels: Mapping[str, tuple[Spelling, ...]]
    card: tuple[str, ...] = ("cluster", "node", "gpu", "uuid")
    identity: Identity | None = None
    approximate: str = ""  # why answers joined with this profile may be wrong; panels say so
    notes: tuple[str, ...] = ()

    def has(self, signal: str) -> bool:
        """True where this exporter can answer the signal at all."""
        return signal in self.signals
