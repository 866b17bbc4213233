"""The catalogue read backwards: from a signal's value to what the exporter writes.

Boards divide, mask and rename by the same profile, so that what is simulated cannot drift from what is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from builder.catalog.model import Kind, Metric, Profile, Signal, Spelling, Unit
from builder.catalog.profiles import PROFILES
from builder.catalog.profiles.dcgm import REASON_BITS
from builder.catalog.signals import SIGNALS

_TYPES = {Kind.COUNTER: "counter"}
_UNITS = {
    (Unit.RATIO, 0.01): "%",
    (Unit.BYTES, 1024.0 * 1024): "MiB",
    (Unit.HERTZ, 1e6): "MHz",
    (Unit.JOULES, 0.001): "mJ",
    (Unit.SECONDS, 1e-9): "ns",
    (Unit.BYTES_PER_SECOND, 1e6): "MB/s",
}


@dataclass(frozen=True, eq=False)
class Column:
    """One metric of a profile. ``bits`` holds the signals that are bits of a mask, with their weights."""

    name: str
    signal: Signal
    metric: Metric
    bits: tuple[tuple[str, int], ...] = ()

    @property
    def help(self) -> str:
        """What the HELP line says."""
        if self.bits:
            return "Reasons that hold the clocks down, as a bit mask."
        unit = _UNITS.get((self.signal.unit, self.metric.factor), "")
        return f"{self.signal.help.removesuffix('.')} (in {unit})." if unit else self.signal.help

    @property
    def true_type(self) -> str:
        """What the TYPE line ought to say."""
        return _TYPES.get(self.signal.kind, "gauge")

    @property
    def declared_type(self) -> str:
        """What the TYPE line says where the catalogue knows that it is wrong."""
        return self.metric.declared.value if self.metric.declared else self.true_type

    def value(self, signals: Mapping[str, float]) -> float | None:
        """The number that the exporter writes; None where the card does not have the signal."""
        if self.bits:
            return sum(weight for name, weight in self.bits if signals[name])
        value = signals.get(self.signal.name)
        if value is None or self.metric.factor == 1:
            return value
        return round(value / self.metric.factor, 6)


@lru_cache
def columns(profile: str) -> Mapping[str, Column]:
    """The metrics of a profile by name, in the catalogue's order; without those that need labels of their own."""
    found: dict[str, Column] = {}
    for signal, metric in _metrics(PROFILES[profile]):
        # Whichever bits a signal reads, the exporter writes them all.
        bits = tuple((reason, 1 << bit) for reason, bit in REASON_BITS.items()) if metric.bits else ()
        found.setdefault(metric.name, Column(metric.name, signal, metric, bits))
    return found


@lru_cache
def labelled(profile: str) -> Mapping[str, Mapping[str, Metric]]:
    """Metrics that tell signals apart by a label: by name, and by signal in that."""
    found: dict[str, dict[str, Metric]] = {}
    for signal, metrics in PROFILES[profile].signals.items():
        for metric in metrics:
            if _needs_label(metric) and metric.where[0].op == "=":
                found.setdefault(metric.name, {})[signal] = metric
    return found


def name_of(profile: Profile, signal: str) -> str:
    """The profile's preferred name of a signal."""
    return profile.signals[signal][0].name


def spelling(profile: str, canonical: str, label: str) -> Spelling:
    """The profile's spelling of a canonical label that uses this label; KeyError where the catalogue knows none."""
    for known in PROFILES[profile].labels[canonical]:
        if known.label == label:
            return known
    raise KeyError(f"profile {profile} does not spell {canonical} as {label}")


def spelled(profile: str, canonical: str, label: str, value: str) -> str:
    """What the label holds where the canonical label has this value."""
    before, _, after = spelling(profile, canonical, label).replacement.partition("$1")
    return value.removeprefix(before).removesuffix(after) if after else value.removeprefix(before)


def _metrics(profile: Profile) -> Iterator[tuple[Signal, Metric]]:
    for name, metrics in profile.signals.items():
        signal = SIGNALS[name]
        if signal.kind is Kind.INFO:
            continue
        yield from ((signal, metric) for metric in metrics if not metric.sum_of and not _needs_label(metric))


def _needs_label(metric: Metric) -> bool:
    """Whether a label tells the signal; a matcher for a label that must be missing does not."""
    return any(match.value for match in metric.where)
