"""Which other thresholds are tried: a few on either side of the present one, within the range it may have."""

from __future__ import annotations

import math
from collections.abc import Iterable

from builder.rules.thresholds import SETTINGS, Setting

_LINEAR = ("celsius", "ratio")
_NO_QUESTION = ("keep", "scrape_gap")
_EACH_SIDE = 3


def worth_trying(thresholds: Iterable[str]) -> tuple[str, ...]:
    """Those that decide what counts as wrong and for how long, before those that only smooth: windows, and ``keep``."""
    names = [n for n in thresholds if not n.endswith(("_window", "_keep")) and n not in _NO_QUESTION]
    return tuple(sorted(names, key=lambda name: name.endswith("_hold")))


def values(name: str, present: float) -> tuple[float, ...]:
    """What is tried for a threshold, ascending, the present value among it.

    Temperatures and shares in even steps; counts and durations halved and doubled.
    """
    setting = SETTINGS[name]
    if setting.unit in _LINEAR:
        step = _step(setting, present)
        found = [present + n * step for n in range(-_EACH_SIDE, _EACH_SIDE + 1)]
    else:
        found = [present * 2.0**n for n in range(-_EACH_SIDE, _EACH_SIDE + 1)] if present else [0, 60, 300, 900]
    fitting = {_whole(setting, value) for value in found if setting.low <= value <= setting.high}
    return tuple(sorted(fitting | {present}))


def _step(setting: Setting, present: float) -> float:
    if setting.unit == "celsius":
        return 2.0
    room = min(present - setting.low, setting.high - present, 0.3) or 0.3
    power = 10.0 ** math.floor(math.log10(room / _EACH_SIDE))
    return max(n * power for n in (1, 2, 5) if n * power <= room / _EACH_SIDE * 1.000001)


def _whole(setting: Setting, value: float) -> float:
    return float(round(value)) if setting.unit in ("seconds", "count") and value >= 1 else round(value, 6)
