"""TensorFlow: in use and peak from get_memory_info, limit from the device list, pool where it follows from both.

https://www.tensorflow.org/api_docs/python/tf/config/experimental/get_memory_info
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from builder.probe.frameworks.model import Device, Memory, Note

_NAME = re.compile(r"(?:/job:(?P<job>[^/]+))?(?:/replica:\d+)?(?:/task:(?P<task>\d+))?/device:(?P<name>[A-Z]+:\d+)")
_PCI = re.compile(r"pci bus id: ([0-9a-fA-F:.]+)")
_MIB = 1 << 20
_CPU = "CPU:0"


class TensorFlow:
    """The devices of the eager context, once the training has made one."""

    name = "tensorflow"
    module = "tensorflow"

    def __init__(self, note: Note) -> None:
        self._note = note
        self._devices: tuple[Device, ...] = ()
        self._limits: dict[str, int] = {}
        self._pooled: frozenset[str] = frozenset()

    def initialised(self, started: bool) -> bool:
        """True once there is an eager context. No public call tells without making one."""
        module = sys.modules.get("tensorflow.python.eager.context")
        if module is None:
            return False
        try:
            context = module._context
            return context is not None and bool(context._initialized)
        except AttributeError:  # renamed: a finished step is proof enough
            return started

    def devices(self) -> tuple[Device, ...]:
        """The logical GPUs of this process; the CPU where there is none. They cannot change once made."""
        if not self._devices:
            tf = sys.modules["tensorflow"]
            names = {**_local(tf.config.list_logical_devices("GPU")), **_local(tf.config.list_logical_devices("TPU"))}
            self._devices = self._cards(tf, names) if names else (Device(_CPU, handle=_CPU),)
        return self._devices

    def memory(self, device: Device) -> Memory:
        """Of a CPU only where oneDNN's allocator is in use: others keep no statistics, which is no failure."""
        try:
            info = sys.modules["tensorflow"].config.experimental.get_memory_info(device.handle)
        except ValueError:
            if device.name == _CPU:
                return Memory()
            raise
        limit = self._limits.get(device.name)
        # Without growth the BFC allocator takes all that it may take in one region at the first allocation.
        pool = limit if device.name in self._pooled and info.get("peak") else None
        return Memory(in_use=info.get("current"), peak=info.get("peak"), pool=pool, limit=limit)

    def _cards(self, tf: Any, names: Mapping[str, str]) -> tuple[Device, ...]:
        """Logical devices are numbered through the visible cards; a card may be split into several."""
        ordinals: list[int] = []
        growing: list[bool] = []
        limits: list[float | None] = []
        for physical in tf.config.get_visible_devices("GPU"):
            parts = tf.config.get_logical_device_configuration(physical) or [None]
            for part in parts:
                ordinals.append(int(physical.name.rsplit(":", 1)[1]))
                growing.append(bool(tf.config.experimental.get_memory_growth(physical)))
                limits.append(getattr(part, "memory_limit", None))
        split = any(limit is not None for limit in limits)
        described = {} if split else self._described(names)
        found = []
        for name, full in names.items():
            kind, number = name.split(":")
            position = int(number)
            if kind != "GPU" or position >= len(ordinals):
                found.append(Device(name, handle=full))
                continue
            size = limits[position]
            limit = int(size * _MIB) if size else described.get(name, (0, ""))[0]
            if limit > 0:
                self._limits[name] = limit
                if not growing[position] and not _grows_by_environment():
                    self._pooled |= {name}
            found.append(Device(name, ordinals[position], described.get(name, (0, ""))[1], full))
        return tuple(found)

    def _described(self, names: Collection[str]) -> dict[str, tuple[int, str]]:
        """What the device list says; without it the limits are absent and the rest is there."""
        try:
            return _described(names)
        except Exception as error:
            self._note(self.name, error)
            return {}


def _local(devices: Iterable[Any]) -> dict[str, str]:
    """This process's devices, short name to full name: a cluster's context lists those of all its tasks."""
    parsed = [match for match in (_NAME.fullmatch(str(device.name)) for device in devices) if match]
    tasks = {(match["job"], match["task"]) for match in parsed}
    if len(tasks) > 1:
        here = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task") or {}
        wanted = (here.get("type"), str(here.get("index")))
        if wanted not in tasks:
            raise LookupError(f"devices of {len(tasks)} tasks, and TF_CONFIG does not say which is this one")
        parsed = [match for match in parsed if (match["job"], match["task"]) == wanted]
    return {match["name"]: match[0] for match in parsed}


def _described(names: Collection[str]) -> dict[str, tuple[int, str]]:
    """Limit in bytes and PCI bus id by device name.

    The list is made from the allocators that exist, so it is asked only after the context: on its own it
    would take the cards' memory with default options.
    """
    from tensorflow.python.client import device_lib  # type: ignore[import-not-found,import-untyped,unused-ignore]

    found = {}
    for device in device_lib.list_local_devices():
        match = _NAME.fullmatch(str(device.name))
        if match is not None and match["name"] in names:
            pci = _PCI.search(str(device.physical_device_desc))
            found[match["name"]] = (int(device.memory_limit), pci[1] if pci else "")
    return found


def _grows_by_environment() -> bool:
    return (
        os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH", "").lower() == "true"
        or os.environ.get("TF_GPU_ALLOCATOR", "") == "cuda_malloc_async"
    )
