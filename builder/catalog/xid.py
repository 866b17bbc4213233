"""XID codes: what each means, how bad it is, and what to do.

The one table behind value mappings, alert severities and documentation, so that they cannot disagree.
Codes, meanings and the immediate actions are those of NVIDIA's "XID Errors" documentation and its catalogue of
immediate actions; the severities are ours. A code that is not here is unknown, not harmless.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """Who has to act on an XID."""

    CRITICAL = "critical"  # operations: the card or its node is out of service until somebody acts
    WARNING = "warning"  # the owner of the job, or operations when it comes back
    INFO = "info"  # nobody; shown where somebody looks


@dataclass(frozen=True)
class Xid:
    """One code: its meaning, severity and what to do about it."""

    code: int
    meaning: str
    severity: Severity
    action: str


_RESET = "drain the node and reset the card"
_REBOOT = "cordon the node, then power-cycle it; replace the card when it comes back"
_RESTART = "restart the job; if the same card does it again with another job, reset the card"
_LINK = "drain the node, check the NVLink bridge or switch, reset the card"
_NOTHING = "nothing; it goes with another XID or is for information"

_CRITICAL = {
    46: ("GPU stopped processing", _RESET),
    48: ("Double-bit ECC error", "drain the node and reset the card; replace it when row remapping fails"),
    54: ("Auxiliary power is not connected", "power the node down and check the card's power cables"),
    62: ("Internal micro-controller halt", _RESET),
    64: ("Row remapping failed to be recorded", _RESET),
    74: ("NVLink error", _LINK),
    79: ("GPU has fallen off the bus", _REBOOT),
    95: ("Uncontained memory error", _RESET),
    109: ("Context switch timeout", _RESET),
    110: ("Security fault", _RESET),
    119: ("GSP firmware did not answer", _RESET),
    120: ("GSP firmware error", _RESET),
    136: ("Link training failed", _RESET),
    140: ("Unrecovered ECC error", _RESET),
    143: ("GPU initialisation failed", _RESET),
    155: ("NVLink software-defined error", _RESET),
    156: ("Resource retired", _RESET),
    158: ("GPU fatal timeout", _RESET),
    **dict.fromkeys(range(144, 151), ("NVLink 5 error", _LINK)),
}

_WARNING = {
    8: ("GPU stopped processing", _RESTART),
    11: ("Invalid or corrupted push buffer stream", _RESTART),
    13: ("Graphics engine exception", _RESTART),
    25: ("Invalid or illegal push buffer stream", _RESTART),
    31: ("GPU memory page fault", "look for an out-of-range access in the job; restart it"),
    32: ("Invalid or corrupted push buffer stream", _RESTART),
    39: ("Copy engine exception", _RESTART),
    40: ("Copy engine exception", _RESTART),
    41: ("Copy engine exception", _RESTART),
    60: ("Video processor exception", _RESTART),
    69: ("Graphics engine class error", _RESTART),
    94: (
        "Contained memory error: the job ended, the card goes on",
        "restart the job; reset the card when it is free",
    ),
    80: ("Corrupted data sent to the card", _RESTART),
    **dict.fromkeys((70, 71, 72, 75, 76, 77, 85, *range(126, 136)), ("Copy engine exception", _RESTART)),
    **dict.fromkeys((68, 83, 84, 88, 96, 97, 98), ("Video decoder exception", _RESTART)),
    **dict.fromkeys((82, *range(99, 106)), ("JPEG engine exception", _RESTART)),
    **dict.fromkeys((86, 139), ("Optical flow engine exception", _RESTART)),
}

_INFO = {
    14: ("Recoverable fault", _NOTHING),
    37: ("Driver firmware notice", _NOTHING),
    38: ("Driver firmware notice", _NOTHING),
    43: ("GPU stopped processing: the job was reset", "nothing; the job's own error says why"),
    44: ("Fault during context switch", _NOTHING),
    45: ("Clean-up after an earlier error", "look at the XID before it"),
    63: ("Row remapping recorded", "reset the card when it is free, so that the remap takes effect"),
    66: ("Illegal access by the driver", _NOTHING),
    67: ("Illegal access by the driver", _NOTHING),
    92: ("Many corrected memory errors", "watch the card's ECC counters"),
    93: ("InfoROM wear limit", _NOTHING),
    106: ("Test message", _NOTHING),
    107: ("Test message", _NOTHING),
    108: ("Reserved", _NOTHING),
    121: ("C2C link error", _NOTHING),
    137: ("NVLink access without the right", _NOTHING),
    141: ("CUDA fast path error", _NOTHING),
    152: ("Deep-learning accelerator: memory unit error", _NOTHING),
    153: ("Deep-learning accelerator: timeout", _NOTHING),
    154: ("Recovery action changed", "do what nvidia-smi gives as the GPU recovery action"),
    157: ("Resource retirement failed", _NOTHING),
    160: ("Memory channel retired", _NOTHING),
    161: ("Memory channel retirement failed", _NOTHING),
}

XIDS: dict[int, Xid] = {
    code: Xid(code, meaning, severity, action)
    for severity, table in (
        (Severity.CRITICAL, _CRITICAL),
        (Severity.WARNING, _WARNING),
        (Severity.INFO, _INFO),
    )
    for code, (meaning, action) in table.items()
}


def codes(severity: Severity) -> tuple[int, ...]:
    """The codes of one severity, ascending."""
    return tuple(sorted(code for code, xid in XIDS.items() if xid.severity is severity))
