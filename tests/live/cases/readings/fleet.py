"""gpu-fleet."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean

from builder.simulate import CardTruth
from tests.live.cases.moment import Moment, Shown, named
from tests.live.cases.readings import parts


def _troubled(m: Moment) -> Iterable[CardTruth]:
    """Devices on nodes that are hot, slowed down or have uncorrectable errors."""
    signs = (parts.over_warning, parts.slowed_down, parts.with_ecc)
    nodes = {node for node in m.nodes if any(sign(m.on(node)).get("") for sign in signs)}
    return [device for device in m.devices if device.node in nodes]


def _namespaces(m: Moment) -> dict[str, dict[tuple[str, str], list[float]]]:
    """Of each namespace the cards that it holds, with the utilisation of what it holds there."""
    found: dict[str, dict[tuple[str, str], list[float]]] = {}
    for device in m.devices:
        for namespace, _, _ in m.holders(device):
            held = found.setdefault(namespace, {}).setdefault((device.node, device.gpu), [])
            held.append(device.signals["utilisation"])
    return found


def _struck(m: Moment) -> Shown:
    """Of nodes with an XID, how many cards have had one."""
    return {node: count for node, count in m.per_node(parts.with_xid).items() if count}


PANELS = {
    "Cards": parts.cards,
    "Nodes": lambda m: parts.one([1.0 for _ in m.nodes]),
    "Utilisation": parts.utilisation,
    "Memory held": parts.memory_held,
    "Power": lambda m: {**parts.power(m), **parts.called("All cards", parts.power(m))},
    "Hottest card": parts.hottest,
    "Idle but held": lambda m: {"": len(parts.idle_holders(m))} if m.exports("memory_total") and m.devices else {},
    "Lost cards": parts.lost_cards,
    "Slowed down": parts.slowed_down,
    "At the power limit": lambda m: parts.one([float(s > parts.NEAR_LIMIT) for s in parts.power_share(m).values()]),
    "Over the warning temperature": parts.over_warning,
    "Cards with an XID": parts.with_xid,
    "Uncorrectable ECC": parts.with_ecc,
    "Busy cards": parts.busy,
    "Nodes | Cards": lambda m: m.per_node(parts.cards),
    "Nodes | Utilisation": lambda m: m.per_node(parts.utilisation),
    "Nodes | Memory": lambda m: m.per_node(parts.memory_held),
    "Nodes | Hottest": lambda m: m.per_node(parts.hottest),
    "Nodes | Power": lambda m: m.per_node(parts.power),
    "Nodes | Slowed down": lambda m: m.per_node(parts.slowed_down),
    "Nodes | Lost": lambda m: {n: lost for n, lost in m.per_node(parts.lost_cards).items() if lost},
    "Nodes | ECC": lambda m: m.per_node(parts.with_ecc),
    "Nodes | XID": _struck,
    "Pods on nodes in trouble | Memory held": lambda m: parts.pods_holding(m, _troubled(m)),
    "Pods on nodes in trouble | Utilisation": lambda m: parts.pods_using(m, _troubled(m)),
    "Idle but held | Share held": lambda m: {named(d): share for d, share in parts.idle_holders(m)},
    "Who holds them | Memory held": lambda m: parts.pods_holding(m, [d for d, _ in parts.idle_holders(m)]),
    "Namespaces | Cards held": lambda m: {name: len(cards) for name, cards in _namespaces(m).items()},
    "Namespaces | Mean utilisation": lambda m: {
        name: mean(mean(held) for held in cards.values()) for name, cards in _namespaces(m).items()
    },
    "Utilisation and memory held": lambda m: {
        **parts.called("Utilisation", parts.utilisation(m)),
        **parts.called("Memory held", parts.memory_held(m)),
        **parts.called("Busy cards", parts.busy(m)),
    },
    "Cards by utilisation": lambda m: parts.bands(value * 100 for value in m.busy().values()),
    "Least used nodes": lambda m: m.per_node(parts.utilisation),
}
