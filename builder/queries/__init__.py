"""The questions that boards, rules and alerts ask. Every hard expression lives here, once."""

from builder.queries import (
    extremes,
    health,
    inventory,
    memory,
    power,
    thermal,
    traffic,
    utilisation,
    workloads,
)

__all__ = ["extremes", "health", "inventory", "memory", "power", "thermal", "traffic", "utilisation", "workloads"]
