"""CUDA's own answer: the uuid behind a device number, after CUDA_VISIBLE_DEVICES and in CUDA's order.

Only a driver library that the framework has loaded and initialised already is asked, so nothing is set up
by asking. https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes

_LIBRARY = "libcuda.so.1"


class CudaError(RuntimeError):
    """The driver refused to answer."""


def loaded() -> ctypes.CDLL | None:
    """The driver library, if this process has it loaded."""
    import ctypes

    try:
        return ctypes.CDLL(_LIBRARY, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except (OSError, AttributeError):  # not loaded; a system without RTLD_NOLOAD
        return None


def uuids(ordinal: int, library: ctypes.CDLL) -> tuple[str, str]:
    """The card's uuid, and the MIG instance's, or the card's again where there is none."""
    import ctypes
    from uuid import UUID

    device = ctypes.c_int(-1)
    _check(library.cuDeviceGet(ctypes.byref(device), ordinal), "cuDeviceGet")
    raw = (ctypes.c_ubyte * 16)()
    _check(library.cuDeviceGetUuid(ctypes.byref(raw), device), "cuDeviceGetUuid")
    card = instance = UUID(bytes=bytes(raw))
    if hasattr(library, "cuDeviceGetUuid_v2"):  # CUDA 11.4 and later: of a MIG instance, its own
        _check(library.cuDeviceGetUuid_v2(ctypes.byref(raw), device), "cuDeviceGetUuid_v2")
        instance = UUID(bytes=bytes(raw))
    if not card.int:
        raise CudaError("cuDeviceGetUuid gave no uuid")
    return f"GPU-{card}", f"GPU-{card}" if instance == card else f"MIG-{instance}"


def _check(code: int, call: str) -> None:
    if code:
        raise CudaError(f"{call} gave error {code}")
