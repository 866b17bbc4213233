"""The questions that boards, rules and alerts ask. Every hard expression lives here, once."""

from builder.queries import (
    extremes,
    gap,
    health,
    interconnect,
    inventory,
    memory,
    power,
    telemetry,
    thermal,
    traffic,
    training,
    utilisation,
    workloads,
)

__all__ = [
    "extremes",
    "gap",
    "health",
    "interconnect",
    "inventory",
    "memory",
    "power",
    "telemetry",
    "thermal",
    "traffic",
    "training",
    "utilisation",
    "workloads",
]
