"""What Grafana checks in a board, whichever API it comes through. Each check answers with the complaint, or nothing."""

from __future__ import annotations

import re
from typing import Any

from builder.testing.grafana.model import Json

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}


def uid_complaint(uid: str) -> str:
    """Letters, digits, dash and underscore, at most 40 of them."""
    if not re.fullmatch(r"[a-zA-Z0-9\-_]*", uid):
        return "uid contains illegal characters"
    return "uid too long, max 40 characters" if len(uid) > 40 else ""


def title_complaint(title: object) -> str:
    """Not empty, at most 5000 characters."""
    if not isinstance(title, str) or not title.strip():
        return "Dashboard title cannot be empty"
    return "Dashboard title cannot contain more than 5 000 characters" if len(title) > 5000 else ""


def message_complaint(message: str) -> str:
    """At most 500 characters."""
    return "Dashboard message cannot exceed 500 characters" if len(message) > 500 else ""


def refresh_too_low(spec: Json, minimum: str) -> bool:
    """Whether the board refreshes more often than the server allows; ``auto`` and no refresh never do."""
    refresh = spec.get("refresh")
    if not isinstance(refresh, str) or refresh in ("", "auto"):
        return False
    wanted, least = _seconds(refresh), _seconds(minimum)
    return wanted is not None and least is not None and wanted < least


def is_v2(spec: Json) -> bool:
    """Whether this is a bare spec of schema v2."""
    return "elements" in spec and "layout" in spec


def nulls(value: Any, path: str = "spec") -> list[str]:
    """Where a strict write finds a null that the schema of classic boards does not allow.

    Allowed are the board's id and the value of a threshold (its first step has none).
    """
    if isinstance(value, dict):
        found = []
        for key, inner in value.items():
            if inner is None and not _may_be_null(path, key):
                found.append(f"{path}.{key}")
            found += nulls(inner, f"{path}.{key}")
        return found
    if isinstance(value, list):
        return [place for n, inner in enumerate(value) for place in nulls(inner, f"{path}[{n}]")]
    return []


def _may_be_null(path: str, key: str) -> bool:
    return (path, key) == ("spec", "id") or (key == "value" and ".thresholds.steps[" in path)


def _seconds(duration: str) -> float | None:
    parts = re.fullmatch(r"((\d+)(ms|[smhdwy]))+", duration)
    if not parts:
        return None
    return sum(int(n) * _UNITS[unit] for n, unit in re.findall(r"(\d+)(ms|[smhdwy])", duration))
