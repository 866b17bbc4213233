"""Stand-ins for what a machine without cards lacks: frameworks with cards, NVML, nvidia-smi, the CUDA driver.

They answer in the real ones' types and spellings, which were read in the sources of TensorFlow 2.21, PyTorch
2.15, JAX 0.10, nvidia-ml-py 13 and in nvidia-smi's own output.
"""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

A = "GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"
B = "GPU-02020202-0000-4000-8000-000000000001"
MIG = "MIG-6b2281de-6d3c-22ed-0ec8-d3b864870b8c"
PCI = {A: "00000000:8D:00.0", B: "00000000:19:00.0"}
GIB = 1 << 30


@dataclass
class Tf:
    """TensorFlow with cards; ``names`` are its logical devices."""

    names: tuple[str, ...] = ("/device:GPU:0",)
    physical: tuple[int, ...] = (0,)
    parts: dict[int, list[int]] = field(default_factory=dict)  # physical -> memory limits in MB
    growth: bool | None = None
    limits: dict[str, int] = field(default_factory=lambda: {"/device:GPU:0": 78 * GIB})
    pci: dict[str, str] = field(default_factory=dict)
    info: dict[str, object] = field(default_factory=lambda: {"current": 40 * GIB, "peak": 48 * GIB})
    initialised: bool = True
    asked: list[str] = field(default_factory=list)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> Tf:
        """Put it in the place of the imported framework."""
        tf, context, device_lib = (ModuleType(n) for n in ("tensorflow", "context", "device_lib"))
        context._context = SimpleNamespace(_initialized=self.initialised)  # type: ignore[attr-defined]
        cards = [SimpleNamespace(name=f"/physical_device:GPU:{n}") for n in self.physical]
        experimental = SimpleNamespace(get_memory_info=self._info, get_memory_growth=lambda card: self.growth)
        tf.config = SimpleNamespace(  # type: ignore[attr-defined]
            list_logical_devices=lambda kind: [SimpleNamespace(name=n) for n in self.names if f":{kind}:" in n],
            get_visible_devices=lambda kind: cards,
            get_logical_device_configuration=lambda card: (
                [SimpleNamespace(memory_limit=mb) for mb in self.parts.get(cards.index(card), [])] or None
            ),
            experimental=experimental,
        )
        device_lib.list_local_devices = lambda: [  # type: ignore[attr-defined]
            SimpleNamespace(
                name=name,
                memory_limit=limit,
                physical_device_desc=f"device: 0, name: H100, pci bus id: {self.pci.get(name, '')}, compute: 9.0",
            )
            for name, limit in self.limits.items()
        ]
        client = ModuleType("tensorflow.python.client")
        client.device_lib = device_lib  # type: ignore[attr-defined]
        python = ModuleType("tensorflow.python")
        for name, module in {
            "tensorflow": tf,
            "tensorflow.python": python,
            "tensorflow.python.client": client,
            "tensorflow.python.client.device_lib": device_lib,
            "tensorflow.python.eager.context": context,
        }.items():
            monkeypatch.setitem(sys.modules, name, module)
        self.module, self.device_lib = tf, device_lib
        return self

    def _info(self, name: object) -> dict[str, object]:
        if not isinstance(name, str):
            raise TypeError("not a string")
        self.asked.append(name)
        return self.info


def torch(
    monkeypatch: pytest.MonkeyPatch, *, used: tuple[int, ...] = (0,), count: int = 8, **properties: object
) -> ModuleType:
    """PyTorch on a node with ``count`` cards, of which the process uses some."""
    module = ModuleType("torch")

    def memory_stats(card: int) -> dict[str, int]:
        if card not in used:
            return {"reserved_bytes.all.peak": 0}
        return {
            "allocated_bytes.all.current": (card + 1) * GIB,
            "allocated_bytes.all.peak": (card + 2) * GIB,
            "reserved_bytes.all.current": (card + 3) * GIB,
            "reserved_bytes.all.peak": (card + 4) * GIB,
        }

    module.cuda = SimpleNamespace(  # type: ignore[attr-defined]
        is_initialized=lambda: True,
        device_count=lambda: 8,
        memory_stats=memory_stats,
        get_per_process_memory_fraction=lambda card: 0.5,
        get_device_properties=lambda card: SimpleNamespace(total_memory=80 * GIB, **properties),
    )
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def jax(monkeypatch: pytest.MonkeyPatch, stats: object, *, platform: str = "gpu") -> ModuleType:
    """JAX with one device."""
    module, bridge = ModuleType("jax"), ModuleType("jax._src.xla_bridge")
    device = SimpleNamespace(platform=platform, id=5, local_hardware_id=1, memory_stats=lambda: stats)
    module.local_devices = lambda: [device]  # type: ignore[attr-defined]
    bridge.backends_are_initialized = lambda: True  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jax", module)
    monkeypatch.setitem(sys.modules, "jax._src.xla_bridge", bridge)
    return module


def nvml(monkeypatch: pytest.MonkeyPatch, *cards: str, old: bool = False) -> ModuleType:
    """pynvml with these cards; MIG is the fourth GPU instance of the first. ``old``: it speaks bytes."""
    module = ModuleType("pynvml")

    def spelled(text: str) -> object:
        return text.encode() if old else text

    def by_uuid(uuid: bytes) -> str:
        if uuid.decode() not in (*cards, MIG):
            raise RuntimeError("Not Found")
        return uuid.decode()

    for name, function in {
        "nvmlInit": lambda: None,
        "nvmlShutdown": lambda: None,
        "nvmlDeviceGetCount": lambda: len(cards),
        "nvmlDeviceGetHandleByIndex": lambda n: cards[n],
        "nvmlDeviceGetUUID": lambda handle: spelled(handle),
        "nvmlDeviceGetPciInfo": lambda handle: SimpleNamespace(busId=spelled(PCI[handle])),
        "nvmlDeviceGetHandleByUUID": by_uuid,
        "nvmlDeviceGetDeviceHandleFromMigDeviceHandle": lambda handle: cards[0],
        "nvmlDeviceGetGpuInstanceId": lambda handle: 4,
    }.items():
        setattr(module, name, function)
    monkeypatch.setitem(sys.modules, "pynvml", module)
    return module


def smi(monkeypatch: pytest.MonkeyPatch, directory: Path, *cards: str, script: str = "") -> None:
    """nvidia-smi on the PATH, and no pynvml."""
    rows = "\n".join(f"{n}, {uuid}, {PCI[uuid]}" for n, uuid in enumerate(cards))
    listed = "\n".join(f"GPU {n}: NVIDIA H100 80GB HBM3 (UUID: {uuid})" for n, uuid in enumerate(cards))
    command = directory / "nvidia-smi"
    command.write_text(
        script
        or f"#!/bin/sh\nif [ \"$1\" = -L ]; then cat <<'END'\n{listed}\n"
        f"  MIG 3g.40gb     Device  0: (UUID: {MIG})\nEND\n"
        f"elif [ \"$*\" = '--query-gpu=index,uuid,pci.bus_id --format=csv,noheader' ]; then cat <<'END'\n{rows}\nEND\n"
        'else echo "unknown: $*" >&2; exit 6; fi\n'
    )
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{directory}:/usr/bin:/bin")
    monkeypatch.setitem(sys.modules, "pynvml", None)


class OldDriver:
    """libcuda before CUDA 11.4: the cards by CUDA's number, as (uuid, uuid of the MIG instance or the same)."""

    def __init__(self, *cards: tuple[str, str], error: int = 0) -> None:
        self._cards = cards
        self._error = error

    def cuDeviceGet(self, device: Any, ordinal: int) -> int:  # noqa: N802
        if not 0 <= ordinal < len(self._cards):
            return 101
        device._obj.value = ordinal
        return self._error

    def cuDeviceGetUuid(self, raw: Any, device: ctypes.c_int) -> int:  # noqa: N802
        return self._give(raw, self._cards[device.value][0])

    def _give(self, raw: Any, uuid: str) -> int:
        raw._obj[:] = UUID(uuid[4:]).bytes
        return 0


class Driver(OldDriver):
    """libcuda since."""

    def cuDeviceGetUuid_v2(self, raw: Any, device: ctypes.c_int) -> int:  # noqa: N802
        return self._give(raw, self._cards[device.value][1])
