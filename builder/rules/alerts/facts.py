"""What is known of an alert without evaluating it: its thresholds, its signals, its texts in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import cast

from builder.errors import SignalMissing
from builder.queries.source import Source
from builder.queries.watch import Watch
from builder.rules.alerts.definition import Alert
from builder.rules.thresholds import SETTINGS, Thresholds

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Needs:
    """What an alert's condition reads: signals, and thresholds by name; ``missing`` is a signal that it cannot have."""

    signals: tuple[str, ...]
    thresholds: tuple[str, ...]
    missing: str = ""


class _Noting:
    """Thresholds that remember which of them were read."""

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self.read: dict[str, None] = {}

    def __getattr__(self, name: str) -> float:
        self.read[name] = None
        return cast(float, getattr(self._thresholds, name))

    def named(self, name: str) -> float:
        self.read[name] = None
        return self._thresholds.named(name)


def needs(alert: Alert, source: Source, thresholds: Thresholds) -> Needs:
    """The signals and thresholds that the alert reads, as far as the source can answer."""
    noting, watch = _Noting(thresholds), Watch(source)
    missing = ""
    try:
        alert.condition(watch.with_window("5m"), cast(Thresholds, noting))
    except SignalMissing as error:
        missing = error.signal
    said = set(_FIELD.findall(alert.summary + alert.description))
    read = {*noting.read, *said, alert.hold, alert.keep}
    ordered = tuple(f.name for f in fields(Thresholds) if f.name in read and f.name in SETTINGS)
    return Needs(watch.asked, ordered, missing)


def in_words(text: str, thresholds: Thresholds) -> str:
    """An alert's text with its thresholds filled in and the rest as placeholders: ``<node>``."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        return SETTINGS[name].shown(thresholds.named(name)) if name in SETTINGS else f"<{name}>"

    return _FIELD.sub(fill, text)
