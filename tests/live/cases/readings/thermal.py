"""gpu-thermal."""

from __future__ import annotations

from tests.live.cases.moment import Moment, Shown
from tests.live.cases.readings import parts
from tests.live.known_answers.terms import DEGREES


def _ever_slowed_down(m: Moment) -> Shown:
    """What is planted lasts, so that a card that was slowed down still is."""
    return {name: value for name, value in m.each("throttled").items() if value}


PANELS = {
    "Hottest card": parts.hottest,
    "Over the warning temperature": parts.over_warning,
    "Slowed down": parts.slowed_down,
    "Held by the power cap": lambda m: parts.one(m.values("throttle_sw_power")),
    "Power": parts.power,
    "Energy in this time range": lambda m: parts.one([joules / 3600 for joules in m.energy()]),
    "Cards by temperature": lambda m: parts.bands(m.values("temperature"), DEGREES),
    "Hottest cards over time": lambda m: m.each("temperature"),
    "Core temperature of the hottest cards": lambda m: m.each("temperature"),
    "Hottest card of each node": lambda m: m.per_node(parts.hottest),
    "Headroom": parts.headroom,
    "Memory temperature of the hottest cards": lambda m: m.each("memory_temperature"),
    "Cards by temperature | Core": lambda m: m.each("temperature"),
    "Cards by temperature | Memory": lambda m: m.each("memory_temperature"),
    "Cards by temperature | Headroom": parts.headroom,
    "Cards by temperature | Power": lambda m: m.each("power"),
    "Cards by temperature | Of limit": parts.power_share,
    "Cards by temperature | Slowed down": lambda m: m.each("throttled"),
    "Slowed down by heat or power supply": _ever_slowed_down,
    "Share of time slowed down by heat": lambda m: m.rising("throttled_time_thermal"),
    "Share of time slowed down by the power limit": lambda m: m.rising("throttled_time_power"),
    "Power against the limit": parts.power_share,
    "Power and SM clock": lambda m: {
        **parts.prefixed("power", m.each("power")),
        **(parts.prefixed("clock", m.each("sm_clock")) if m.values("power") else {}),
    },
    "Power by node": lambda m: m.per_node(parts.power),
}
