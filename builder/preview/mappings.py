"""Value mappings: what a value is called and coloured instead of by its number.

Rules: Grafana's packages/grafana-data/src/utils/valueMappings.ts.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mapped:
    """What a mapping makes of a value; an empty text or colour leaves that part as it was."""

    text: str = ""
    colour: str = ""


def mapped(value: float | str | None, mappings: Sequence[Mapping[str, Any]]) -> Mapped | None:
    """What the first mapping that fits says; None where none fits."""
    for mapping in mappings:
        options = mapping.get("options") or {}
        found = _FITS.get(str(mapping.get("type")), _never)(value, options)
        if found is not None:
            return Mapped(str(found.get("text") or ""), str(found.get("color") or ""))
    return None


def _value(value: float | str | None, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    found = options.get(_key(value))
    return found if isinstance(found, Mapping) else None


def _range(value: float | str | None, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if value is None or isinstance(value, str) or math.isnan(value):
        return None
    low, high = options.get("from"), options.get("to")
    inside = (low is None or value >= float(low)) and (high is None or value <= float(high))
    return options.get("result") or {} if inside else None


def _regex(value: float | str | None, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    pattern = str(options.get("pattern") or "")
    if value is None or not pattern:
        return None
    with contextlib.suppress(re.error):
        match = re.search(pattern.strip("/"), _key(value))
        if match:
            result = dict(options.get("result") or {})
            result["text"] = re.sub(r"\$(\d)", lambda m: _group(match, int(m[1])), str(result.get("text") or ""))
            return result
    return None


def _group(match: re.Match[str], number: int) -> str:
    return match[number] or "" if number <= (match.re.groups or 0) else ""


def _special(value: float | str | None, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    kind, empty = options.get("match"), value is None
    not_a_number = isinstance(value, float) and math.isnan(value)
    fits = {
        "null": empty,
        "nan": not_a_number,
        "null+nan": empty or not_a_number,
        "empty": value == "",
        "true": value == "true",
        "false": value == "false",
    }
    return options.get("result") or {} if fits.get(str(kind)) else None


def _never(_value: float | str | None, _options: Mapping[str, Any]) -> None:
    return None


_FITS = {"value": _value, "range": _range, "regex": _regex, "special": _special}


def _key(value: float | str | None) -> str:
    """How a value is written in a mapping: 1 and not 1.0."""
    if value is None:
        return "null"
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)
