"""Durations as Prometheus writes them: 90s, 30m, 1h30m, 2d."""

from __future__ import annotations

import re

from builder.errors import UsageError

_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile("".join(rf"(?:(\d+(?:\.\d+)?){unit})?" for unit in _SECONDS), re.ASCII)
_LONGEST = 1000 * 365 * 86400


def seconds(text: str, where: str = "") -> float:
    """The duration in seconds. Raises UsageError where the text is none."""
    match = _DURATION.fullmatch(text)
    if not text or not match:
        raise UsageError(f"not a duration: {text!r}", where=where, fix="write it like 90s, 30m, 1h30m or 2d")
    found = sum(float(n) * unit for n, unit in zip(match.groups(), _SECONDS.values(), strict=True) if n)
    if found > _LONGEST:
        raise UsageError(f"{text} is out of bounds", where=where, fix="at most 1000 years")
    return found


def interval(text: str, where: str) -> int:
    """The time between two scrapes, in whole seconds. Raises UsageError where it is none, or less than one."""
    found = seconds(text, where)
    if found < 1 or found != int(found):
        raise UsageError(f"scrapes every {text}", where=where, fix="give whole seconds, at least 1s")
    return int(found)


def words(duration: float) -> str:
    """The duration as text that ``seconds`` reads back."""
    parts, left = [], duration
    for letter, unit in _SECONDS.items():
        whole = left // unit if unit > 1 else left
        if whole:
            parts.append(f"{whole:g}{letter}")
            left -= whole * unit
    return "".join(parts) or "0s"
