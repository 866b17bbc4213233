"""The time range that a dashboard opens with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from builder.errors import UsageError
from builder.lint.shape import mapping, text
from builder.opening.window import parse_duration

DEFAULT = 6 * 3600.0
"""Seconds that Grafana shows where a dashboard says nothing."""

_MONTH = 30 * 86400.0
_RELATIVE = re.compile(r"now(?:-([0-9.]+[smhdwMy]+))?(?:/[smhdwMyfQ]+)?")


def range_of(dashboard: Mapping[str, Any]) -> tuple[float, float]:
    """How long before now the range begins and ends, in seconds.

    Rounding to whole days and the like (``now/d``) is left out, and fixed dates are taken for the default: what they
    show is not what is there now.
    """
    said = mapping(dashboard.get("time"))
    begin, end = _ago(said.get("from")), _ago(said.get("to"))
    if begin is None or end is None or begin <= end:
        return DEFAULT, 0.0
    return begin, end


def _ago(written: Any) -> float | None:
    found = _RELATIVE.fullmatch(text(written).strip())
    if not found:
        return None
    if not found[1]:
        return 0.0
    try:
        return float(found[1][:-1]) * _MONTH if found[1].endswith("M") else parse_duration(found[1])
    except (UsageError, ValueError):
        return None
