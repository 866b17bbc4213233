"""From objects to plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCALARS = frozenset({str, int, float, bool, type(None)})
"""The classes of JSON's scalars."""


def to_plain(value: Any) -> Any:
    """Plain dicts, lists and scalars of anything that grafanalib or this package can emit."""
    # Nearly everything is one of the first three; asking for them first, by class, is what makes it quick.
    kind = value.__class__
    if kind is dict:
        return {key: m if m.__class__ in SCALARS else to_plain(m) for key, m in value.items()}
    if kind is list:
        return [m if m.__class__ in SCALARS else to_plain(m) for m in value]
    if kind in SCALARS:
        return value
    convert = getattr(value, "to_json_data", None)
    if convert is not None:
        return to_plain(convert())
    if isinstance(value, Mapping):
        return {key: to_plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(member) for member in value]
    return value


def without_nulls(value: Any) -> Any:
    """The same without members that are null, in dicts and in lists."""
    kind = value.__class__
    if kind is dict:
        return {key: m if m.__class__ in SCALARS else without_nulls(m) for key, m in value.items() if m is not None}
    if kind is list:
        return [m if m.__class__ in SCALARS else without_nulls(m) for m in value if m is not None]
    if kind in SCALARS:
        return value
    convert = getattr(value, "to_json_data", None)
    plain = to_plain(value) if convert is None else convert()
    return without_nulls(plain) if plain is not value else value


def merge(base: dict[str, Any], extra: Mapping[str, Any]) -> None:
    """Put ``extra`` into ``base``: dicts member by member, everything else replaced (lists too)."""
    for key, value in extra.items():
        present = base.get(key)
        if isinstance(present, dict) and isinstance(value, Mapping):
            merge(present, value)
        else:
            base[key] = to_plain(value)
