"""The questions that boards, rules and alerts ask. Every hard expression lives here, once."""

from builder.queries import (
    events,
    extremes,
    gap,
    growth,
    health,
    interconnect,
    inventory,
    memory,
    power,
    stalls,
    telemetry,
    thermal,
    traffic,
    training,
    utilisation,
    workloads,
)

__all__ = [
    "events",
    "extremes",
    "gap",
    "growth",
    "health",
    "interconnect",
    "inventory",
    "memory",
    "power",
    "stalls",
    "telemetry",
    "thermal",
    "traffic",
    "training",
    "utilisation",
    "workloads",
]
