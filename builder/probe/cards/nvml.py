"""NVML through pynvml (package nvidia-ml-py), where it is installed. It makes no CUDA context.

https://docs.nvidia.com/deploy/nvml-api/
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from builder.probe.cards.model import Card, as_pci, as_uuid


def inventory() -> tuple[Card, ...]:
    """The cards that this process may see, in PCI order; none where pynvml is not installed."""
    with _session() as nvml:
        if nvml is None:
            return ()
        handles = [nvml.nvmlDeviceGetHandleByIndex(n) for n in range(nvml.nvmlDeviceGetCount())]
        return tuple(
            Card(as_uuid(nvml.nvmlDeviceGetUUID(handle)), n, as_pci(nvml.nvmlDeviceGetPciInfo(handle).busId))
            for n, handle in enumerate(handles)
        )


def instance(uuid: str) -> Card | None:
    """The card and the GPU instance id of a MIG uuid."""
    with _session() as nvml:
        if nvml is None:
            return None
        # Before NVML 12 the uuid is bytes.
        handle = nvml.nvmlDeviceGetHandleByUUID(uuid.encode())
        parent = nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(handle)
        number = nvml.nvmlDeviceGetGpuInstanceId(handle)
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ValueError(f"{number!r} is no GPU instance id")
        return Card(
            as_uuid(nvml.nvmlDeviceGetUUID(parent)),
            pci=as_pci(nvml.nvmlDeviceGetPciInfo(parent).busId),
            mig=str(number),
        )


@contextmanager
def _session() -> Iterator[Any]:
    try:
        nvml = import_module("pynvml")
    except ModuleNotFoundError:
        yield None
        return
    nvml.nvmlInit()
    try:
        yield nvml
    finally:
        nvml.nvmlShutdown()
