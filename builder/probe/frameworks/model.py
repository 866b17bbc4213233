"""What a framework is asked, and what its answers mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol


@dataclass(frozen=True)
class Device:
    """A device as the process sees it.

    ``name`` is like ``GPU:0`` in every framework. ``ordinal`` is CUDA's number for the card, counted after
    CUDA_VISIBLE_DEVICES; None where the device is no CUDA card. ``pci`` is the framework's spelling of the
    PCI bus id, where it tells one. ``handle`` is the framework's own object.
    """

    name: str
    ordinal: int | None = None
    pci: str = ""
    handle: Any = None


@dataclass(frozen=True)
class Memory:
    """Bytes of one device as the framework answered, unchecked; None is a value that it cannot give.

    ``in_use`` is live tensors, ``peak`` the most of it so far, ``pool`` what the allocator took from the
    driver, ``limit`` the most that it may take.
    """

    in_use: Any = None
    peak: Any = None
    pool: Any = None
    limit: Any = None


Note = Callable[[str, "BaseException | str"], None]


class Framework(Protocol):
    """One framework. A method may raise whatever the framework raises, and may take as long as it takes.

    Made with a function that notes a failure which costs only a part of the answer.
    """

    name: str

    # The module whose presence in sys.modules says that the script uses the framework.
    module: str

    def initialised(self, started: bool) -> bool:
        """True once the training itself has set up the devices; asking must not do so. ``started``: it stepped."""

    def devices(self) -> tuple[Device, ...]:
        """The devices that this process holds memory on; asked only once ``initialised``."""

    def memory(self, device: Device) -> Memory:
        """What the device's allocator says now."""


def as_bytes(value: Any) -> float | None:
    """The checked number of bytes; None stays None, anything that is no amount of memory is an error."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise ValueError(f"{value!r} is no number of bytes")
    return float(value)
