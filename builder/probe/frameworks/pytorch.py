"""PyTorch: the caching allocator's statistics.

https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.memory_stats.html
"""

from __future__ import annotations

import sys

from builder.probe.frameworks.model import Device, Memory, Note


class PyTorch:
    """The cards whose allocator ever took memory: every rank sees all cards of its node and uses its own."""

    name = "pytorch"
    module = "torch"

    def __init__(self, note: Note) -> None:
        self._note = note

    def initialised(self, started: bool) -> bool:
        """True once the training has set up CUDA; PyTorch counts no memory of CPUs."""
        torch = sys.modules.get("torch")
        cuda = getattr(torch, "cuda", None)  # absent while torch is being imported
        asked = getattr(cuda, "is_initialized", None)
        return bool(asked and asked())

    def devices(self) -> tuple[Device, ...]:
        """Used cards, by CUDA's number."""
        cuda = sys.modules["torch"].cuda
        used = [n for n in range(cuda.device_count()) if cuda.memory_stats(n).get("reserved_bytes.all.peak")]
        return tuple(Device(f"GPU:{n}", n, self._pci(n)) for n in used)

    def memory(self, device: Device) -> Memory:
        """The limit is the card, or the fraction of it that the process set itself."""
        cuda = sys.modules["torch"].cuda
        stats = cuda.memory_stats(device.ordinal)
        return Memory(
            in_use=stats.get("allocated_bytes.all.current"),
            peak=stats.get("allocated_bytes.all.peak"),
            pool=stats.get("reserved_bytes.all.current"),
            limit=self._limit(device),
        )

    def _limit(self, device: Device) -> int | None:
        cuda = sys.modules["torch"].cuda
        fraction = getattr(cuda, "get_per_process_memory_fraction", None)
        try:
            share = fraction(device.ordinal) if fraction else 1.0
            return int(cuda.get_device_properties(device.ordinal).total_memory * share)
        except Exception as error:
            self._note(self.name, error)
            return None

    def _pci(self, ordinal: int) -> str:
        try:
            return _pci(sys.modules["torch"].cuda.get_device_properties(ordinal))
        except Exception as error:
            self._note(self.name, error)
            return ""


def _pci(properties: object) -> str:
    domain, bus, slot = (getattr(properties, f"pci_{part}_id", None) for part in ("domain", "bus", "device"))
    if not (isinstance(domain, int) and isinstance(bus, int) and isinstance(slot, int)):
        return ""  # an older PyTorch
    return f"{domain:08x}:{bus:02x}:{slot:02x}.0"
