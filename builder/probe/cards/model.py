"""Cards as the driver's tools know them, in the spelling of dcgm-exporter."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEX = "[0-9a-fA-F]"
_BODY = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_UUID = re.compile(f"(GPU|MIG)-({_BODY})", re.IGNORECASE)
_PCI = re.compile(f"({_HEX}{{1,8}}):({_HEX}{{2}}):({_HEX}{{2}})\\.({_HEX})")


@dataclass(frozen=True)
class Card:
    """A card, or one MIG instance of it (``mig`` is its GPU instance id). ``index`` is the driver's, if known."""

    uuid: str
    index: int | None = None
    pci: str = ""
    mig: str = ""


@dataclass(frozen=True)
class Match:
    """The card of a device, and who said so; no card where nobody could."""

    card: Card | None
    mapping: str


UNRESOLVED = Match(None, "unresolved")


def as_uuid(text: object) -> str:
    """``GPU-`` or ``MIG-`` and 36 lower-case characters; ValueError for anything else."""
    match = _UUID.fullmatch(_decoded(text))
    if match is None:
        raise ValueError(f"{text!r} is no uuid of a card")
    return f"{match[1].upper()}-{match[2].lower()}"


def as_pci(text: object) -> str:
    """A PCI bus id in NVML's form, 00000000:8D:00.0; ValueError for anything else."""
    match = _PCI.fullmatch(_decoded(text))
    if match is None:
        raise ValueError(f"{text!r} is no PCI bus id")
    return f"{int(match[1], 16):08X}:{match[2]}:{match[3]}.{match[4]}".upper()


def _decoded(text: object) -> str:
    if isinstance(text, bytes):
        return text.decode("ascii").strip("\0 ")
    return text.strip() if isinstance(text, str) else ""
