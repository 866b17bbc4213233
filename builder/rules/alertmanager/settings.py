"""Who is told, how, and when: what the Alertmanager configuration is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

OLDEST = (0, 25)
"""Debian 12's Alertmanager; what it lacks is not written unless ``version`` says that a newer one runs."""


@dataclass(frozen=True)
class Channel:
    """One way to reach people: its kind (see ``kinds``) and the fields that the kind takes."""

    kind: str
    fields: Mapping[str, str | bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """Receivers by name, and which of them gets what.

    ``pager`` gets critical alerts, ``chat`` warnings, ``info`` the rest of ours, ``other`` whatever else arrives
    (empty: the chat). An empty name: nobody is told. Waits are durations as Prometheus writes them.
    """

    version: str = "0.25"
    pager: str = ""
    chat: str = ""
    info: str = ""
    other: str = ""
    group_wait: str = "30s"
    group_interval: str = "5m"
    repeat_interval: str = "4h"
    receivers: Mapping[str, tuple[Channel, ...]] = field(default_factory=dict)


def version(text: str) -> tuple[int, ...]:
    """``0.28`` or ``0.28.1`` as numbers that can be compared."""
    return tuple(int(part) for part in text.split("."))
