"""JAX: what the runtime's allocator says of each local device.

https://docs.jax.dev/en/latest/gpu_memory_allocation.html
"""

from __future__ import annotations

import sys

from builder.probe.frameworks.model import Device, Memory, Note


class Jax:
    """The local devices of the default backend, once the training has made one."""

    name = "jax"
    module = "jax"

    def __init__(self, note: Note) -> None:
        """JAX answers in whole or not at all: there is nothing to note."""

    def initialised(self, started: bool) -> bool:
        """True once there is a backend. No public call tells without making one."""
        if "jax" not in sys.modules:
            return False
        bridge = sys.modules.get("jax._src.xla_bridge")
        asked = getattr(bridge, "backends_are_initialized", None)
        return bool(asked()) if asked else started

    def devices(self) -> tuple[Device, ...]:
        """Local devices but CPUs, of which JAX knows no memory."""
        found = []
        for device in sys.modules["jax"].local_devices():
            if device.platform == "gpu":
                number = int(device.local_hardware_id)
                found.append(Device(f"GPU:{number}", number, handle=device))
            elif device.platform != "cpu":
                found.append(Device(f"{device.platform.upper()}:{device.id}", handle=device))
        return tuple(found)

    def memory(self, device: Device) -> Memory:
        """Which of them JAX tells depends on its allocator; on some platforms it tells nothing."""
        stats = device.handle.memory_stats() or {}
        return Memory(
            in_use=stats.get("bytes_in_use"),
            peak=stats.get("peak_bytes_in_use"),
            pool=stats.get("pool_bytes"),
            limit=stats.get("bytes_limit"),
        )
