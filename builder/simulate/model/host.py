"""The host side of a node: processors, disks and clock."""

from __future__ import annotations

from dataclasses import dataclass

from builder.simulate.model.chance import between
from builder.simulate.model.layout import Node

PROCESSORS = 4
"""Few, so that a large fleet's node_exporter stays small; real hosts have a hundred."""

_UP_BEFORE = 20 * 86400  # seconds since the host booted when the fleet's time begins


@dataclass(frozen=True)
class Host:
    """Seconds of each processor by mode, what the disk did, and the clock's offset in seconds."""

    processor_seconds: tuple[tuple[str, float], ...]
    disk_busy: float
    disk_read: float
    clock_offset: float
    load: float


def host(node: Node, seed: int, at: float) -> Host:
    """The host at ``at`` seconds of the fleet's time. Waiting for input shows on its disk and processors."""
    up = at + _UP_BEFORE
    stalled = _stalled(node, at)
    waiting = 0.01 * up + 0.34 * stalled
    user, system = 0.35 * up, 0.05 * up
    offset = between(-0.002, 0.002, seed, node.name, "clock")
    offset += sum(f.value for f in node.faults if f.kind == "clock-skew" and f.active(at))
    busy = any(f.kind == "input-stall" and f.active(at) for card in node.cards for f in card.faults)
    return Host(
        processor_seconds=(
            ("idle", round(up - user - system - waiting, 2)),
            ("iowait", round(waiting, 2)),
            ("system", round(system, 2)),
            ("user", round(user, 2)),
        ),
        disk_busy=round(0.08 * up + 0.87 * stalled, 3),
        disk_read=round(4e8 * up + 2.2e9 * stalled),
        clock_offset=round(offset, 6),
        load=18.5 if busy else 6.25,
    )


def _stalled(node: Node, at: float) -> float:
    """Seconds up to now in which input was slow on any card; overlapping faults count once."""
    spans = sorted(
        (f.start, min(f.end, at)) for c in node.cards for f in c.faults if f.kind == "input-stall" and f.start < at
    )
    total, reached = 0.0, 0.0
    for begin, end in spans:
        total += max(end - max(begin, reached), 0.0)
        reached = max(reached, end)
    return total
