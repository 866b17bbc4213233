"""gpu-detail, of one card: its panels are repeated for each. The last table is of all cards of the node."""

from __future__ import annotations

from builder.catalog.signals import THROTTLE_REASONS
from tests.live.cases.moment import Shown
from tests.live.cases.readings import parts
from tests.live.cases.readings.gap import framework


def _named(shown: dict[str, Shown]) -> Shown:
    return {name: value for name, found in shown.items() for value in found.values()}


PANELS = {
    "GPU $gpu_id: utilisation, memory and temperature": lambda m: _named(
        {
            "Utilisation": m.busy(),
            "Memory held": m.share_held(),
            "Core temperature": m.each("temperature"),
            "Memory temperature": m.each("memory_temperature"),
        }
    ),
    "Core temperature now": lambda m: m.each("temperature"),
    "Headroom": parts.headroom,
    "Last XID": parts.last_xid,
    "ECC uncorrected": lambda m: m.each("ecc_uncorrected"),
    "ECC corrected": lambda m: m.each("ecc_corrected"),
    "Row remap": lambda m: _named({"pending": m.each("row_remap_pending"), "failed": m.each("row_remap_failure")}),
    "GPU $gpu_id: device memory against the framework's": lambda m: _named(
        {
            "Device: used": m.held(),
            "Framework: in use": framework(m, "in_use"),
            "Framework: pool": framework(m, "pool"),
            "Framework: limit": framework(m, "limit"),
            "Device: total": m.per_card("memory_total", sum),
        }
    ),
    "GPU $gpu_id: power against its limit": lambda m: _named(
        {"Power": m.each("power"), "Limit": m.each("power_limit")}
    ),
    "GPU $gpu_id: clocks": lambda m: _named({"SM": m.each("sm_clock"), "Memory": m.each("memory_clock")}),
    "GPU $gpu_id: how well it is used": lambda m: _named(
        {
            "Any work": m.busy(),
            "SMs active": m.busy("sm_activity"),
            "Tensor pipe": m.busy("tensor_activity"),
            "Memory bandwidth": m.busy("dram_activity"),
        }
    ),
    "GPU $gpu_id: what reduces the clocks": lambda m: _named(
        {name: m.each(reason) for reason, name in THROTTLE_REASONS.items()}
    ),
    "GPU $gpu_id: share of time slowed down": lambda m: _named(
        {
            "by heat": m.rising("throttled_time_thermal"),
            "by the power limit": m.rising("throttled_time_power"),
        }
    ),
    "GPU $gpu_id: PCIe and NVLink": lambda m: _named(
        {
            "PCIe in": m.each("pcie_receive"),
            "PCIe out": m.each("pcie_transmit"),
            "NVLink": m.each("nvlink_throughput"),
        }
    ),
}

OF_ALL_CARDS = {
    "Pods on these cards | Memory held": lambda m: parts.pods_holding(m, m.devices),
    "Pods on these cards | Utilisation": lambda m: parts.pods_using(m, m.devices),
}
