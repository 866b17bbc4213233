"""gpu-node."""

from __future__ import annotations

from tests.live.cases.moment import Moment, Shown, named
from tests.live.cases.readings import parts


def _share_held(m: Moment) -> Shown:
    used, everything = m.of("memory_used", m.devices), m.of("memory_total", m.devices)
    return {name: used[name] / total for name, total in everything.items()}


PANELS = {
    "Cards": parts.cards,
    "Utilisation": lambda m: {**parts.utilisation(m), **m.of("utilisation", m.devices)},
    "Memory held": lambda m: {**parts.memory_held(m), **_share_held(m)},
    "Hottest card": parts.hottest,
    "Power": parts.power,
    "Lost cards": parts.lost_cards,
    "Lost cards by name | Lost": parts.lost_by_name,
    "Cards | Reports": lambda m: {named(card): 1 for card in m.cards},
    "Cards | Utilisation": Moment.busy,
    "Cards | Memory": Moment.share_held,
    "Cards | Core": lambda m: m.each("temperature"),
    "Cards | Power": lambda m: m.each("power"),
    "Cards | Slowed down": lambda m: m.each("throttled"),
    "Cards | Last XID": parts.last_xid,
    "Cards | ECC uncorrected": lambda m: m.each("ecc_uncorrected"),
    "Cards | Remap pending": lambda m: m.each("row_remap_pending"),
    "Pods on this node | Memory held": lambda m: parts.pods_holding(m, m.devices),
    "Pods on this node | Utilisation": lambda m: parts.pods_using(m, m.devices),
    "Core temperature": lambda m: m.each("temperature"),
    "Power against the limit": lambda m: {**m.each("power"), **parts.prefixed("limit", m.each("power_limit"))},
    "Slowed down by heat or power supply": lambda m: m.each("throttled"),
    "SM clock": lambda m: m.each("sm_clock"),
    "Power share now": parts.power_share,
    "PCIe and NVLink traffic": lambda m: {
        **parts.prefixed("PCIe in", m.each("pcie_receive")),
        **parts.prefixed("PCIe out", m.each("pcie_transmit")),
        **parts.prefixed("NVLink", m.each("nvlink_throughput")),
    },
}
