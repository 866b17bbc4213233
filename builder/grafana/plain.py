"""From objects to plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def to_plain(value: Any) -> Any:
    """Plain dicts, lists and scalars of anything that grafanalib or this package can emit."""
    convert = getattr(value, "to_json_data", None)
    if convert is not None:
        return to_plain(convert())
    if isinstance(value, Mapping):
        return {key: to_plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(member) for member in value]
    return value


def merge(base: dict[str, Any], extra: Mapping[str, Any]) -> None:
    """Put ``extra`` into ``base``: dicts member by member, everything else replaced (lists too)."""
    for key, value in extra.items():
        present = base.get(key)
        if isinstance(present, dict) and isinstance(value, Mapping):
            merge(present, value)
        else:
            base[key] = to_plain(value)
