"""Ticks: at round times and round values, as many as there is room for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from builder.preview.colours import Theme
from builder.preview.contents import Axis

_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800)
_TRAILING = re.compile(r"(?:\.|(\.\d*?[1-9]))0+(?!\d)")
"""Zeros at the end of a fraction: ticks are round, and need none."""
TIME_EVERY, VALUE_EVERY = 80.0, 34.0
"""Pixels between two ticks, at the least."""


def time_axis(axes: Axes, begin: float, end: float, width: float, theme: Theme) -> None:
    """Times of day (UTC) along the foot; dates where the range is longer than two days."""
    end = max(end, begin + 1)  # a panel with a time of its own may have one moment
    wanted = (end - begin) / max(width / TIME_EVERY, 1)
    step = next((step for step in _STEPS if step >= wanted), math.ceil(wanted / 604800) * 604800)
    ticks = [n * step for n in range(math.ceil(begin / step), math.floor(end / step) + 1)]
    form = "%m/%d" if step >= 86400 else "%m/%d %H:%M" if end - begin > 172800 else "%H:%M:%S" if step < 60 else "%H:%M"
    axes.set_xlim(begin, end)
    axes.tick_params(axis="x", pad=8)
    axes.set_xticks(ticks, [datetime.fromtimestamp(t, UTC).strftime(form) for t in ticks])
    axes.grid(visible=True, axis="x", color=theme.grid, linewidth=1)
    axes.set_axisbelow(True)


def reach(axis: Axis, values: Sequence[float]) -> tuple[float, float]:
    """From where to where an axis goes: as it is set, or so that all values are on it."""
    finite = [v for v in values if math.isfinite(v)] or [0.0]
    low = min([min(finite), *([axis.soft_low] if axis.soft_low is not None else [])])
    high = max([max(finite), *([axis.soft_high] if axis.soft_high is not None else [])])
    room = (high - (low if axis.low is None else min(axis.low, low))) * 0.05
    bottom = axis.low if axis.low is not None else low - room if low < 0 or low - room > 0 else 0.0
    top = axis.high if axis.high is not None else high + room
    if top <= bottom:
        bottom, top = (bottom, bottom + (abs(bottom) or 1.0)) if axis.high is None else (top - (abs(top) or 1.0), top)
    return bottom, top


def value_ticks(axis: Axis, low: float, high: float, height: float) -> tuple[list[float], list[str]]:
    """Round values from low to high, and how they are written. Bytes are round in powers of 1024."""
    many = max(int(height / VALUE_EVERY), 1)
    size = max(abs(low), abs(high))
    unit = axis.base ** math.floor(math.log(size, axis.base)) if size > 0 and axis.base == 1024 else 1.0
    steps = [1, 2, 2.5, 5, 10] if unit == 1 else [1, 2, 4, 5, 8, 10]
    found = MaxNLocator(nbins=many, steps=steps).tick_values(low / unit, high / unit)
    ticks = [float(tick) * unit for tick in found]
    slack = (high - low) * 1e-6
    ticks = [0.0 if abs(tick) < slack else tick for tick in ticks if low - slack <= tick <= high + slack]
    return ticks, [_TRAILING.sub(r"\1", axis.format(round(tick, 12))) for tick in ticks]
