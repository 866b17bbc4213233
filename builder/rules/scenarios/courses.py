"""How a signal goes on: what its next value is, given the last one and the time."""

from __future__ import annotations

from collections.abc import Callable

Course = Callable[[float | None, int], float | None]
"""The next value from the last one (None where there was none) and the seconds since the start; None: no value."""

STEP = 60
"""Seconds between two samples."""


def level(value: float) -> Course:
    """Always this value."""
    return lambda last, at: value


def grows(per_second: float, start: float = 0.0) -> Course:
    """From ``start``, or from where it is, by so much a second."""
    return lambda last, at: start if last is None else last + per_second * STEP


def clock(last: float | None, at: int) -> float | None:
    """The present time."""
    return float(at)


def stays(last: float | None, at: int) -> float | None:
    """As it was last."""
    return last


def gone(last: float | None, at: int) -> float | None:
    """No value at all."""
    return None
