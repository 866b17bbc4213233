"""The search for a device's card: the surest source first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic

from builder.probe.cards import driver, nvml, smi, visible
from builder.probe.cards.model import UNRESOLVED, Card, Match, as_pci, as_uuid
from builder.probe.frameworks.model import Device

_AGAIN = 300.0
_OLD_MIG = re.compile(r"MIG-(GPU-[0-9a-fA-F-]{36})/(\d+)/\d+")

Note = Callable[[str, "BaseException | str"], None]
_Key = tuple[str, int | None]


def _key(device: Device) -> _Key:
    """Two frameworks of one process may call different cards ``GPU:0``."""
    return device.name, device.ordinal


class Cards:
    """Finds the card of each device once; what is not found is searched again every five minutes.

    ``told`` maps device names to uuids, for places where nothing else can know.
    """

    def __init__(self, told: Mapping[str, str], environ: Mapping[str, str], note: Note) -> None:
        self._told = told
        self._environ = environ
        self._note = note
        self._found: dict[_Key, Match] = {}
        self._searched: dict[_Key, float] = {}
        self._source = ""  # who gave the last inventory

    def known(self, device: Device) -> Match:
        """What was found so far; asks nobody."""
        return self._found.get(_key(device), UNRESOLVED)

    def missing(self, devices: tuple[Device, ...]) -> tuple[Device, ...]:
        """The devices that it is time to search for."""
        now = monotonic()
        return tuple(
            device
            for device in devices
            if (device.ordinal is not None or device.name in self._told)
            and _key(device) not in self._found
            and not now - self._searched.get(_key(device), -_AGAIN) < _AGAIN
        )

    def search(self, devices: tuple[Device, ...]) -> None:
        """Search for the devices' cards. May take as long as a driver that does not answer."""
        inventory = self._inventory()
        for device in devices:
            self._searched[_key(device)] = monotonic()
            match = self._match(device, inventory)
            if match.card is not None:
                self._found[_key(device)] = replace(match, card=self._completed(match.card, inventory))

    def _match(self, device: Device, inventory: tuple[Card, ...]) -> Match:
        ordinal = device.ordinal
        if device.name in self._told:
            return self._named(self._told[device.name], inventory, "configured")
        if ordinal is None:
            return UNRESOLVED
        match = self._driver(ordinal)
        entries = visible.entries(self._environ)
        entry = entries[ordinal] if entries is not None and ordinal < len(entries) else ""
        if match.card is None and not entry.isdigit():
            match = self._named(entry, inventory, "cuda_visible_devices")
        if match.card is None and device.pci:
            match = self._at_bus(device.pci, inventory)
        if match.card is None and ordinal == 0:
            match = self._named(visible.only_card(self._environ), inventory, "nvidia_visible_devices")
        if match.card is None and (len(inventory) == 1 or visible.in_pci_order(self._environ)):
            number = int(entry) if entry.isdigit() else ordinal if entries is None else -1
            match = next((Match(card, self._source) for card in inventory if card.index == number), UNRESOLVED)
        return match

    def _driver(self, ordinal: int) -> Match:
        try:
            library = driver.loaded()
            if library is None:
                return UNRESOLVED
            card, instance = driver.uuids(ordinal, library)
            return Match(Card(card), "cuda") if card == instance else self._instance(instance, Card(card), "cuda")
        except Exception as error:
            self._note("cuda", error)
            return UNRESOLVED

    def _named(self, text: str, inventory: tuple[Card, ...], mapping: str) -> Match:
        """The card of a uuid, of a unique beginning of one, or of a MIG id in either of its forms."""
        if old := _OLD_MIG.fullmatch(text):
            return Match(Card(as_uuid(old[1]), mig=old[2]), mapping)
        try:
            uuid = as_uuid(text)
        except ValueError:
            begun = [card for card in inventory if text and card.uuid.lower().startswith(text.lower())]
            return Match(begun[0], mapping) if len(begun) == 1 else UNRESOLVED
        return self._instance(uuid, None, mapping) if uuid.startswith("MIG-") else Match(Card(uuid), mapping)

    def _instance(self, uuid: str, card: Card | None, mapping: str) -> Match:
        for op, ask in (("nvml", nvml.instance), ("nvidia_smi", smi.instance)):
            try:
                found = ask(uuid)
            except Exception as error:
                self._note(op, error)
                continue
            if found is not None:
                return Match(found, mapping)
        return Match(card, mapping) if card else UNRESOLVED

    def _at_bus(self, text: str, inventory: tuple[Card, ...]) -> Match:
        try:
            pci = as_pci(text)
        except ValueError as error:
            self._note("framework", error)
            return UNRESOLVED
        return next((Match(card, self._source) for card in inventory if card.pci == pci), UNRESOLVED)

    def _inventory(self) -> tuple[Card, ...]:
        for op, ask in (("nvml", nvml.inventory), ("nvidia_smi", smi.inventory)):
            try:
                cards = ask()
            except Exception as error:
                self._note(op, error)
                continue
            if cards:
                self._source = op
                return cards
        return ()

    def _completed(self, card: Card, inventory: tuple[Card, ...]) -> Card:
        """With what the driver's tools know of the same card; their index only where it is the node's."""
        same = next((known for known in inventory if known.uuid == card.uuid), None)
        if same is None:
            return replace(card, index=None)
        whole = visible.sees_whole_node(self._environ, len(inventory))
        return replace(card, index=same.index if whole else None, pci=same.pci)
