"""The questions that boards, rules and alerts ask. Every hard expression lives here, once."""

from builder.queries import (
    extremes,
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
