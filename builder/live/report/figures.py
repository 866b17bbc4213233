"""Numbers as people read them."""

from __future__ import annotations

from datetime import UTC, datetime

_STEPS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def count(number: int | None) -> str:
    """A count in three or four figures; a dash where nobody counted."""
    if number is None:
        return "-"
    for size, letter in _STEPS:
        if number >= 10 * size or (size > 1e3 and number >= size):
            return f"{number / size:.3g}{letter}"
    return str(number)


def size(number: int) -> str:
    """Bytes."""
    for step, letter in _STEPS:
        if number >= step:
            return f"{number / step:.3g} {letter}B"
    return f"{number} B"


def duration(seconds: float) -> str:
    """A time, in milliseconds below a second."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def moment(unix: float) -> str:
    """A Unix time as a date."""
    return f"{datetime.fromtimestamp(unix, UTC):%Y-%m-%dT%H:%M:%SZ}"


def plural(number: int, noun: str) -> str:
    """A count with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
