"""The questions that boards, rules and alerts ask. Every hard expression lives here, once."""

from builder.queries import (
    health,
    inventory,
    memory,
    power,
    thermal,
    traffic,
    utilisation,
    workloads,
)

__all__ = ["health", "inventory", "memory", "power", "thermal", "traffic", "utilisation", "workloads"]
