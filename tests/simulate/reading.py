"""Reads a simulated scrape as boards do: names, factors, bits and label spellings of the catalogue, forwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.catalog.model import Kind, Match, Metric, Profile, Spelling
from builder.catalog.signals import SIGNALS
from builder.simulate import Fleet
from builder.simulate.backfill import scraped
from builder.testing import Sample, parse_exposition


@dataclass(frozen=True)
class Reading:
    """A value of a signal, the metric that it was read from, and the canonical labels that could be told."""

    signal: str
    metric: str
    labels: Mapping[str, str]
    value: float


def series(fleet: Fleet, path: str, t: float) -> Iterator[Sample]:
    """The series that a scrape of this path leaves in Prometheus."""
    target = next(target for target in fleet.targets(t) if target.path == path)
    node, _, exporter = path.partition("/")
    for sample in parse_exposition(fleet.exposition(node, t, exporter)):
        yield Sample(sample.name, scraped(sample.labels, target=target), sample.value)


def readings(fleet: Fleet, profile: Profile, path: str, t: float) -> Iterator[Reading]:
    """Every signal of the profile in a scrape."""
    samples = list(series(fleet, path, t))
    identity = {s.labels["uuid"]: s.labels for s in samples if profile.identity and s.name == profile.identity.metric}
    for signal, metrics in profile.signals.items():
        if SIGNALS[signal].kind is Kind.INFO:
            continue
        for metric in metrics:
            for sample in samples:
                value = _value(metric, sample)
                if value is not None:
                    known = {**identity.get(sample.labels.get("uuid", ""), {}), **sample.labels}
                    yield Reading(signal, metric.name, canonical(profile, known), value)


def canonical(profile: Profile, labels: Mapping[str, str]) -> dict[str, str]:
    """The canonical labels that these labels spell."""
    found = {}
    for name, spellings in profile.labels.items():
        for spelling in spellings:
            if not all(_holds(match, labels) for match in spelling.when):
                continue
            match = re.fullmatch(spelling.pattern, labels.get(spelling.label, ""))
            if match and match[1] and _guarded(spelling, labels):
                found[name] = spelling.replacement.replace("$1", match[1])
                break
    return found


def _value(metric: Metric, sample: Sample) -> float | None:
    if sample.name != metric.name or not all(_holds(match, sample.labels) for match in metric.where):
        return None
    if metric.bits:
        return float(any(int(sample.value) >> bit & 1 for bit in metric.bits))
    if metric.above is not None:
        return float(sample.value > metric.above)
    return sample.value * metric.factor


def _guarded(spelling: Spelling, labels: Mapping[str, str]) -> bool:
    return all(_holds(match, labels) for match in spelling.guard)


def _holds(match: Match, labels: Mapping[str, str]) -> bool:
    value = labels.get(match.label, "")
    plain = {"=": value == match.value, "!=": value != match.value}
    if match.op in plain:
        return plain[match.op]
    return bool(re.fullmatch(match.value, value)) == (match.op == "=~")
