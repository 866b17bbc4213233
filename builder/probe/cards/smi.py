"""nvidia-smi, where NVML's Python binding is not installed.

https://docs.nvidia.com/deploy/nvidia-smi/
"""

from __future__ import annotations

import re

from builder.probe.cards.model import Card, as_pci, as_uuid

_SECONDS = 10.0
_CARD = re.compile(r"GPU \d+: .*\(UUID: (GPU-[^)]+)\)")
_INSTANCE = re.compile(r"\s+MIG .*\(UUID: (MIG-[^)]+)\)")


def inventory() -> tuple[Card, ...]:
    """The cards that this process may see; none where nvidia-smi is not on the PATH."""
    cards = []
    for line in _ask("--query-gpu=index,uuid,pci.bus_id", "--format=csv,noheader").splitlines():
        if line.strip():
            index, uuid, pci = line.split(",")
            cards.append(Card(as_uuid(uuid), int(index), as_pci(pci)))
    return tuple(cards)


def instance(uuid: str) -> Card | None:
    """The card of a MIG uuid; nvidia-smi's list does not tell the GPU instance id."""
    card = ""
    for line in _ask("-L").splitlines():
        if found := _CARD.fullmatch(line.rstrip()):
            card = found[1]
        elif (found := _INSTANCE.fullmatch(line.rstrip())) and found[1].lower() == uuid.lower():
            return Card(as_uuid(card))
    return None


def _ask(*arguments: str) -> str:
    import shutil  # here, because hardly a script needs them
    import subprocess

    command = shutil.which("nvidia-smi")
    if command is None:
        return ""
    done = subprocess.run(
        [command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_SECONDS, check=True
    )
    return done.stdout
