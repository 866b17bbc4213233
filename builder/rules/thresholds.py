"""Every threshold, window and duration of the alerts: its default, its range and what it means.

A field of ``Thresholds`` is a key of the section ``alerts`` of gpuboards.yaml, there for the whole fleet, for one
cluster or for one model of card. Durations are in whole seconds, temperatures in degrees Celsius, shares from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from builder.errors import ConfigError, short


@dataclass(frozen=True)
class Between:
    """The range that a value must be in, both ends included."""

    low: float
    high: float

    def __call__(self, value: float) -> None:
        if not self.low <= value <= self.high:
            shown = short(value) if isinstance(value, int) else f"{value:g}"
            raise ConfigError(f"{shown} is out of range", fix=f"a number from {self.low:g} to {self.high:g}")


class Setting(NamedTuple):
    """What is known of one threshold; ``unit`` is ``celsius``, ``ratio``, ``seconds``, ``hours`` or ``count``."""

    name: str
    default: float
    low: float
    high: float
    unit: str
    help: str

    def shown(self, value: float) -> str:
        """A value as people write it: ``85 °C``, ``90 %``, ``10 min``."""
        if self.unit == "ratio":
            return f"{value * 100:g} %"
        if self.unit != "seconds":
            return f"{value:g}{_SUFFIX[self.unit]}"
        size, name, _ = _largest(value)
        return f"{value / size:g} {name}"

    def said(self, value: float) -> str:
        """A value as the line of gpuboards.yaml that sets it: ``alerts.temperature_warning: 85``."""
        size, _, suffix = _largest(value) if self.unit == "seconds" else (1, "", "")
        return f"alerts.{self.name}: {value / size:.12g}{suffix}"


def _largest(seconds: float) -> tuple[int, str, str]:
    """The largest unit of which it is a whole number: its seconds, its name, and its letter in the configuration."""
    for size, name, letter in ((86_400, "d", "d"), (3600, "h", "h"), (60, "min", "m")):
        if seconds >= size and seconds % size == 0:
            return size, name, letter
    return 1, "s", ""


_SUFFIX = {"celsius": " °C", "hours": " h", "count": ""}


def _setting(default: Any, low: float, high: float, unit: str, help: str) -> Any:
    return field(default=default, metadata={"checks": (Between(low, high),), "unit": unit, "help": help})


def _celsius(default: float, help: str) -> Any:
    return _setting(default, 20, 150, "celsius", help)


def _share(default: float, help: str) -> Any:
    return _setting(default, 0, 1, "ratio", help)


def _hold(default: int, what: str) -> Any:
    return _setting(default, 0, 86_400, "seconds", f"how long {what} before the alert fires")


def _window(default: int, help: str) -> Any:
    return _setting(default, 60, 86_400, "seconds", help)


@dataclass(frozen=True)
class Thresholds:
    """When an alert fires. Raises ConfigError where two of them contradict each other."""

    scrape_gap: int = _setting(
        180, 60, 3600, "seconds", "how long a gap in the data may be without an alert starting anew"
    )
    keep: int = _setting(300, 0, 86_400, "seconds", "how long a threshold alert stays on after the value came back")

    temperature_notice: float = _celsius(80, "core temperature of the early notice")
    temperature_notice_hold: int = _hold(300, "the core is that warm")
    temperature_warning: float = _celsius(85, "core temperature of the warning")
    temperature_warning_hold: int = _hold(600, "the core is that hot")
    temperature_critical: float = _celsius(90, "core temperature at which somebody is called")
    temperature_critical_hold: int = _hold(300, "the core is that hot")
    headroom: float = _setting(3, 0, 100, "celsius", "degrees below the card's own slowdown limit")
    headroom_hold: int = _hold(300, "the card is that near to its limit")
    memory_temperature_warning: float = _celsius(95, "memory temperature of the warning")
    memory_temperature_warning_hold: int = _hold(600, "the memory is that hot")
    memory_temperature_critical: float = _celsius(105, "memory temperature at which somebody is called")
    memory_temperature_critical_hold: int = _hold(300, "the memory is that hot")

    slowdown_window: int = _window(300, "over which the share of time with reduced clocks is taken")
    slowdown_share: float = _share(0.2, "share of that time with clocks reduced by heat")
    slowdown_hold: int = _hold(120, "heat reduces clocks")
    power_brake_share: float = _share(0.1, "share of that time with clocks reduced by a power brake signal")
    power_brake_hold: int = _hold(60, "the power brake reduces clocks")
    power_limit_share: float = _share(0.9, "a card's power limit against the median of its model")
    power_near_limit: float = _share(0.95, "share of its power limit from which a card is held by it")
    power_window: int = _window(600, "whose highest power is taken")
    power_cap_hold: int = _hold(900, "a lowered limit holds the card")

    memory_pressure: float = _share(0.9, "share of device memory held, where no framework says what is in use")
    memory_pressure_hold: int = _hold(900, "memory is that full")
    framework_memory: float = _share(0.95, "share of the framework's limit that is in live tensors")
    framework_memory_hold: int = _hold(900, "the framework is that near to its limit")
    leak_window: int = _setting(3600, 1200, 86_400, "seconds", "over which growth of memory in live tensors is taken")
    leak_growth: float = _share(0.01, "share of the limit by which it grows in that time")
    leak_hours: float = _setting(12, 0.1, 1000, "hours", "hours until the limit is reached")
    leak_hold: int = _hold(300, "memory grows")
    leak_keep: int = _setting(1800, 0, 86_400, "seconds", "how long the alert stays on after the last sign of growth")
    gap_window: int = _setting(
        3600, 1200, 86_400, "seconds", "over which growth of memory outside of the framework is taken"
    )
    gap_growth: float = _share(0.05, "share of the card's memory by which it grows in that time")
    gap_hold: int = _hold(600, "memory outside of the framework grows")

    idle_utilisation: float = _share(0.1, "below it a card is idle")
    idle_memory: float = _share(0.5, "share of memory above which an idle card counts as allocated")
    idle_hold: int = _setting(600, 120, 86_400, "seconds", "how long a card is idle before the alert fires")
    drop_window: int = _setting(3600, 1200, 86_400, "seconds", "whose mean is the card's own baseline")
    drop_points: float = _share(0.6, "by how much utilisation is below the baseline")
    drop_below: float = _share(0.3, "utilisation above which no drop is worth an alert")
    drop_hold: int = _hold(300, "utilisation is that low")
    stall_after: int = _setting(600, 30, 86_400, "seconds", "seconds without a step after which a job hangs")
    stall_hold: int = _hold(60, "no step ends")
    hang_window: int = _window(600, "over which a hanging collective is looked for")
    hang_utilisation: float = _share(0.95, "utilisation above which a collective may spin")
    hang_power: float = _share(0.4, "share of the power limit below which nothing is calculated")
    hang_tensor: float = _share(0.005, "activity of the tensor pipe below which nothing is calculated")
    hang_hold: int = _hold(300, "it looks like that")
    efficiency_window: int = _window(1800, "over which a job's utilisation is averaged")
    efficiency_low: float = _share(0.2, "mean utilisation of a job's cards below which it is inefficient")
    efficiency_hold: int = _hold(300, "it is that low")
    input_window: int = _window(600, "over which waiting for input is averaged")
    input_wait: float = _share(0.3, "share of step time spent waiting for input")
    input_hold: int = _hold(600, "a job waits that much")
    straggler_window: int = _window(600, "over which step times are averaged")
    straggler_lag: float = _setting(0.2, 0, 10, "ratio", "how much longer a process's step takes than its job's median")
    straggler_hold: int = _hold(600, "a process is that slow")

    xid_window: int = _setting(900, 60, 86_400, "seconds", "how long an XID is news")
    ecc_window: int = _window(3600, "over which corrected memory errors are counted")
    ecc_corrected: int = _setting(100, 1, 1_000_000, "count", "corrected memory errors in that time")
    nvlink_window: int = _window(900, "over which NVLink errors are counted")
    nvlink_errors: int = _setting(10, 0, 1_000_000, "count", "NVLink data CRC errors in that time")
    nvlink_hold: int = _hold(300, "a link has errors")
    pcie_window: int = _window(600, "over which PCIe replays are counted")
    pcie_replays: float = _setting(8, 0, 1_000_000, "count", "PCIe replays a minute")
    pcie_hold: int = _hold(600, "packets are sent again")

    lost_hold: int = _hold(300, "a card is gone")
    missing_hold: int = _hold(600, "cards are missing")
    silent_hold: int = _hold(300, "a node is silent")
    blind_hold: int = _hold(600, "readings are missing")
    clock_offset: float = _setting(30, 0.001, 86_400, "seconds", "seconds by which a host's clock may be off")
    clock_hold: int = _hold(300, "the clock is off")

    def __post_init__(self) -> None:
        for less, more in _ORDERED:
            if getattr(self, less) >= getattr(self, more):
                raise ConfigError(
                    f"{less} ({getattr(self, less):g}) is not below {more} ({getattr(self, more):g})",
                    fix=f"set both; {less} comes before {more}",
                )

    def named(self, name: str) -> float:
        """The value of the setting of that name."""
        return float(getattr(self, name))


_ORDERED = (
    ("temperature_notice", "temperature_warning"),
    ("temperature_warning", "temperature_critical"),
    ("memory_temperature_warning", "memory_temperature_critical"),
)
"""What must be smaller than what: a warning comes before the alert that calls somebody."""


def _described(of: Any) -> Setting:
    known = of.metadata
    (allowed,) = known["checks"]
    return Setting(of.name, float(of.default), allowed.low, allowed.high, known["unit"], known["help"])


SETTINGS: Mapping[str, Setting] = {f.name: _described(f) for f in fields(Thresholds)}
"""Every threshold by name."""
