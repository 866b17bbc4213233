"""The devices of this process, read when a scrape asks, with the cards that they are."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields

from builder.probe.cards import Cards, Match
from builder.probe.faults import Faults
from builder.probe.frameworks import FRAMEWORKS, Device, Framework, Memory
from builder.probe.frameworks.model import as_bytes


@dataclass(frozen=True)
class Reading:
    """One device: its checked bytes by kind (absent where the framework cannot give them) and its card."""

    framework: str
    device: Device
    bytes: dict[str, float]
    match: Match


class Devices:
    """Reads all frameworks that the training has initialised; waits no longer than ``timeout`` seconds each time."""

    def __init__(self, cards: Cards, faults: Faults, timeout: float) -> None:
        self._cards = cards
        self._faults = faults
        self._timeout = timeout
        self._frameworks: Sequence[Framework] = tuple(make(faults.note) for make in FRAMEWORKS)

    def read(self, started: bool) -> tuple[Reading, ...]:
        """What the frameworks say now; ``started``: the training has done a step."""
        present = [framework for framework in self._frameworks if framework.module in sys.modules]
        if not present:
            return ()
        found = self._faults.bounded("framework", lambda: self._ask(present, started), self._timeout) or ()
        devices = tuple(device for _, device, _ in found)
        missing = self._cards.missing(devices)
        if missing:
            self._faults.bounded("cards", lambda: self._cards.search(missing), self._timeout)
        return tuple(
            Reading(framework, device, amounts, self._cards.known(device)) for framework, device, amounts in found
        )

    def _ask(self, present: Sequence[Framework], started: bool) -> list[tuple[str, Device, dict[str, float]]]:
        found = []
        for framework in present:
            try:
                devices = framework.devices() if framework.initialised(started) else ()
            except Exception as error:
                self._faults.note(framework.name, error)
                continue
            found += [(framework.name, device, self._amounts(framework, device)) for device in devices]
        return found

    def _amounts(self, framework: Framework, device: Device) -> dict[str, float]:
        amounts: dict[str, float] = {}
        try:
            memory = framework.memory(device)
        except Exception as error:
            self._faults.note(framework.name, error)
            return amounts
        for field in fields(Memory):
            try:
                amount = as_bytes(getattr(memory, field.name))
            except Exception as error:
                self._faults.note(framework.name, error)
                continue
            if amount is not None:
                amounts[field.name] = amount
        return amounts
