"""A signal as an exporter writes it: the way back from canonical labels and base units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.catalog.model import Match, Profile, Spelling

_ON_CARD = ("framework_memory_in_use", "framework_memory_peak", "framework_memory_pool", "framework_memory_limit")
_GROUP = re.compile(r"\$1")


@dataclass(frozen=True)
class Written:
    """One series name of an exposition. ``factor`` and ``bit`` say what becomes of the value."""

    name: str
    labels: tuple[tuple[str, str], ...]
    factor: float = 1.0
    bit: int | None = None

    def value(self, value: float) -> float:
        """The exported number."""
        if self.bit is not None:
            return float(2**self.bit if value else 0)
        return round(value / self.factor, 9)


def written(profile: Profile, signal: str, labels: Mapping[str, str], *, other: bool = False) -> Written | None:
    """The series that answers a signal; None where the profile takes it from others.

    ``other`` takes the spelling that a label has after an upgrade of the exporter, where there is one.
    """
    metric = next((m for m in profile.signals[signal] if not m.parts and len(m.bits) < 2), None)
    if metric is None:
        return None
    identity = profile.identity
    own = dict(labels)
    if identity and metric.name != identity.metric:
        own = {label: value for label, value in own.items() if label not in identity.provides}
    if profile.signals.get("training_device_info") and signal not in (*_ON_CARD, "training_device_info"):
        own = {label: value for label, value in own.items() if label not in ("uuid", "gpu")}
    spelled = {**profile.labels, **metric.labels}
    raw: dict[str, str] = {}
    for label, value in own.items():
        name, text = _spelled(spelled.get(label, ()), spelled, label, value, profile.port, other)
        if name:
            raw[name] = text
    raw |= {match.label: _example(match) for match in metric.where if match.value}
    bit = metric.bits[0] if metric.bits else None
    return Written(metric.name, tuple(sorted(raw.items())), metric.factor, bit)


def _example(match: Match) -> str:
    """A value that a matcher accepts."""
    return match.value.split("|")[0] if match.op == "=~" else match.value


def _spelled(
    spellings: Sequence[Spelling],
    spelled: Mapping[str, Sequence[Spelling]],
    label: str,
    value: str,
    port: int,
    other: bool,
) -> tuple[str, str]:
    """The exporter's label and its value; empty where it has none for it."""
    found = [(s.label, text) for s in spellings if (text := _raw(s, value, port)) is not None]
    taken = {s.label for name, ways in spelled.items() if name != label for s in ways}
    free = [way for way in found if way[0] not in taken] or found
    if not free:
        return "", ""
    return free[-1] if other else free[0]


def _raw(spelling: Spelling, value: str, port: int) -> str | None:
    """What the exporter writes where the canonical value is this; None where it cannot be written so."""
    prefix = spelling.replacement.partition("$1")[0]
    bare = value.removeprefix(prefix)
    tries = [f"{value}:{port}"] if spelling.label == "instance" else []
    for text in (*tries, value, bare, f"GPU:{value}"):
        match = re.fullmatch(spelling.pattern, text)
        if match and _GROUP.sub(lambda _, m=match: m[1], spelling.replacement) == value:  # type: ignore[misc]
            return text
    return None
