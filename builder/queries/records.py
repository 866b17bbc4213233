"""The names under which rules keep a signal, one series a device, process or node.

A name is ``level:signal_unit`` (https://prometheus.io/docs/practices/rules/): the level says which labels a series
has, the unit is the signal's base unit, and a counter ends in ``_total``. Names are public: boards, alerts and
people's own queries depend on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from builder.catalog.model import Kind, Profile, Scope, Signal, Unit
from builder.catalog.signals import SIGNALS
from builder.queries.jobs import PROCESS

CARD = ("cluster", "node", "gpu", "uuid")
INSTANCE = (*CARD, "mig")
WORKLOAD = ("namespace", "pod", "container")

OF_PODS = ("memory_used", "utilisation")
"""Signals that are also kept by the pod that holds the card; a pod's other signals are its card's."""

LAST_SAMPLE = "gpu:last_sample_timestamp_seconds"
"""When memory in use was last sampled: a recorded series is always new, what it was made of need not be."""

_SUFFIXES = {
    Unit.RATIO: "_ratio",
    Unit.BYTES: "_bytes",
    Unit.BYTES_PER_SECOND: "_bytes_per_second",
    Unit.CELSIUS: "_celsius",
    Unit.WATTS: "_watts",
    Unit.HERTZ: "_hertz",
    Unit.JOULES: "_joules",
    Unit.SECONDS: "_seconds",
}
_NOT_OF_PROCESS = ("probe_errors", "training_job_info")
"""One series a kind of error, and words that are on every other series too."""
_MOMENTS = ("last_step", "last_checkpoint", "job_started")
"""Unix times, which a name tells from spans."""
_OF_HOST = ("clock_offset", "node_gpus")
"""What a host says once. Its many CPUs and disks are kept as one rate a node."""


@dataclass(frozen=True)
class Record:
    """A recorded series: its name and its labels, of which some may be empty."""

    name: str
    labels: tuple[str, ...]


def device_record(signal: Signal) -> Record | None:
    """What a card's or MIG instance's signal is kept under; None for what is not one series a device."""
    if signal.scope not in (Scope.BOARD, Scope.INSTANCE):
        return None
    extra = ("xid",) if signal.name == "xid_errors" else ()
    return Record(f"gpu:{_metric(signal)}", (*INSTANCE, "model", *extra))


def pod_record(signal: Signal) -> Record | None:
    """What a signal is kept under for each pod that holds a card; None where it is not."""
    return Record(f"pod:{_metric(signal)}", (*INSTANCE, *WORKLOAD)) if signal.name in OF_PODS else None


def process_record(signal: Signal, training: Profile) -> Record | None:
    """What a training process's signal is kept under."""
    if signal.scope is not Scope.JOB or signal.name in _NOT_OF_PROCESS:
        return None
    return Record(f"process:{_metric(signal)}", tuple(dict.fromkeys((*training.card, *PROCESS))))


def node_record(signal: Signal) -> Record | None:
    """What a host's signal is kept under; None where it is one of many of the host."""
    if signal.name not in _OF_HOST:
        return None
    return Record(f"node:{_metric(signal).removeprefix('node_')}", ("cluster", "node"))


def signals_of(*scopes: Scope) -> Sequence[Signal]:
    """The signals of these scopes, in the catalogue's order."""
    return [signal for signal in SIGNALS.values() if signal.scope in scopes]


def _metric(signal: Signal) -> str:
    name = signal.name.replace("utilisation", "utilization")  # as every exporter writes it
    suffix = "_timestamp_seconds" if name in _MOMENTS else _SUFFIXES.get(signal.unit, "")
    total = "_total" if signal.kind is Kind.COUNTER else ""
    return f"{name}{suffix if not name.endswith(suffix) else ''}{total}"
