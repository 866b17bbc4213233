"""``gpu:*``, ``pod:*`` and ``process:*``: every signal once a device, in base units and canonical labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from builder.catalog.model import Scope, Signal
from builder.promql.expr import Expr
from builder.queries.feeds import Feeds
from builder.queries.raw import RawSource
from builder.queries.records import (
    LAST_SAMPLE,
    WORKLOAD,
    device_record,
    node_record,
    pod_record,
    process_record,
    signals_of,
)
from builder.queries.source import Filter
from builder.rules.model import Group, RecordingRule

_THEMES = {
    "memory": ("memory_used", "memory_free", "memory_reserved", "memory_total", "device_info"),
    "power": ("temperature", "memory_temperature", "slowdown", "power", "energy", "fan", "temperature_margin"),
    "health": ("ecc", "xid", "row", "retired", "pcie_replay", "nvlink_errors"),
    "clocks": ("throttle", "sm_clock", "memory_clock"),
}
"""What is evaluated together, by the beginning of the signal's name; a group that grows long is late."""
_HELD = (Filter("pod", "", "!="),)


def groups(feeds: Feeds, interval: int) -> list[Group]:
    """The groups of the device level; a signal that no exporter has gives no rule."""
    by_theme: dict[str, list[RecordingRule]] = {"activity": []}
    for signal in signals_of(Scope.BOARD, Scope.INSTANCE):
        by_theme.setdefault(_theme(signal), []).extend(_of_device(signal, feeds))
    by_theme["memory"].extend(_rule(LAST_SAMPLE, feeds.best(_stamp)))
    by_theme["pods"] = [rule for signal in signals_of(Scope.INSTANCE) for rule in _of_pods(signal, feeds)]
    by_theme["processes"] = [rule for signal in signals_of(Scope.JOB) for rule in _of_process(signal, feeds)]
    by_theme["hosts"] = [rule for signal in signals_of(Scope.NODE) for rule in _of_host(signal, feeds)]
    return [Group(f"gpuboards-device-{theme}", tuple(rules), interval) for theme, rules in by_theme.items() if rules]


def _theme(signal: Signal) -> str:
    return next((theme for theme, names in _THEMES.items() if signal.name.startswith(names)), "activity")


def _of_device(signal: Signal, feeds: Feeds) -> Iterator[RecordingRule]:
    record = device_record(signal)
    if record is not None:
        yield from _rule(record.name, feeds.best(lambda source: _level(source, signal, record.labels)))


def _level(source: RawSource, signal: Signal, labels: Sequence[str]) -> Expr | None:
    if not source.gpu.has(signal.name):
        return None
    keep = [label for label in labels if label in source.gpu.labels and (label != "mig" or _is_split(signal))]
    return source.level(signal.name, keep=keep)


def _is_split(signal: Signal) -> bool:
    """True where each MIG instance has a value of its own."""
    return signal.scope is Scope.INSTANCE


def _of_pods(signal: Signal, feeds: Feeds) -> Iterator[RecordingRule]:
    record = pod_record(signal)
    if record is None:
        return

    def held(source: RawSource) -> Expr | None:
        if not source.gpu.has(signal.name) or not source.has_label("pod"):
            return None
        return source.level(signal.name, keep=WORKLOAD, where=_HELD)

    yield from _rule(record.name, feeds.best(held))


def _stamp(source: RawSource) -> Expr | None:
    return source.stamp("memory_used") if source.gpu.has("memory_used") else None


def _of_process(signal: Signal, feeds: Feeds) -> Iterable[RecordingRule]:
    record = process_record(signal, feeds.training) if feeds.training else None
    if record is None or feeds.training is None or not feeds.training.has(signal.name):
        return ()
    return _rule(record.name, feeds.raw.level(signal.name, keep=record.labels))


def _of_host(signal: Signal, feeds: Feeds) -> Iterable[RecordingRule]:
    record = node_record(signal)
    if record is None or feeds.host is None or not feeds.host.has(signal.name):
        return ()
    return _rule(record.name, feeds.raw.level(signal.name))


def _rule(name: str, answer: Expr | None) -> list[RecordingRule]:
    return [] if answer is None else [RecordingRule(name, answer)]
