"""Durations as Prometheus writes them: 90s, 30m, 1h30m, 2d."""

from __future__ import annotations

import re

from builder.errors import UsageError

_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?")


def seconds(text: str, where: str = "") -> float:
    """The duration in seconds. Raises UsageError where the text is none."""
    match = _DURATION.fullmatch(text)
    if not text or not match:
        raise UsageError(f"not a duration: {text!r}", where=where, fix="write it like 90s, 30m, 1h30m or 2d")
    return sum(float(n) * unit for n, unit in zip(match.groups(), _SECONDS.values(), strict=True) if n)


def words(duration: float) -> str:
    """The duration as text that ``seconds`` reads back."""
    parts, left = [], duration
    for letter, unit in _SECONDS.items():
        whole = left // unit if unit > 1 else left
        if whole:
            parts.append(f"{whole:g}{letter}")
            left -= whole * unit
    return "".join(parts) or "0s"
