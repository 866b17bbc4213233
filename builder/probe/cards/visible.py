"""What CUDA_VISIBLE_DEVICES and the container's environment say about the cards of a process.

https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#env-vars
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_ENTRY = re.compile(r"[0-9]+|GPU-[0-9a-fA-F-]+|MIG-[0-9a-zA-Z/-]+")
_DRIVER = Path("/proc/driver/nvidia/gpus")


def entries(environ: Mapping[str, str]) -> tuple[str, ...] | None:
    """The entries up to the first that CUDA does not take; None where the variable is not set."""
    text = environ.get("CUDA_VISIBLE_DEVICES")
    if text is None:
        return None
    found = []
    for entry in (part.strip() for part in text.split(",")):
        if not _ENTRY.fullmatch(entry):
            break
        found.append(entry)
    return tuple(found)


def only_card(environ: Mapping[str, str]) -> str:
    """The uuid in NVIDIA_VISIBLE_DEVICES where it is a single one: of several, the order is not known."""
    text = environ.get("NVIDIA_VISIBLE_DEVICES", "")
    return text if re.fullmatch(r"(GPU|MIG)-[0-9a-zA-Z/-]+", text) else ""


def in_pci_order(environ: Mapping[str, str]) -> bool:
    """True where CUDA numbers cards like the driver's tools. Its default, fastest first, does so by chance only."""
    return environ.get("CUDA_DEVICE_ORDER", "").upper() == "PCI_BUS_ID"


def sees_whole_node(environ: Mapping[str, str], cards: int) -> bool:
    """True where the driver's index here is the node's: containers and job cgroups number their own cards."""
    handed = environ.get("NVIDIA_VISIBLE_DEVICES", "")
    if handed and handed != "all":
        return False
    if "KUBERNETES_SERVICE_HOST" in environ and not handed:
        return False
    try:
        return len(list(_DRIVER.iterdir())) == cards
    except OSError:  # no such directory: WSL, or a restricted /proc; nothing contradicts
        return True
