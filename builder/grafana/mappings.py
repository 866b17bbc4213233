"""Values shown as words: 0 as "ok", 1 as "failing"."""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from builder.errors import UnknownName
from builder.grafana.declared import check_fields, checked
from builder.grafana.names import check_colour

Shown = str | tuple[str, str]
"""A text, or a text and its colour."""

_SPECIAL = ("null", "nan", "null+nan", "true", "false", "empty")


@dataclass(frozen=True)
class Mapping:
    """One value mapping: its kind, and what it shows, each with the options that select the values."""

    kind: str
    shown: tuple[tuple[dict[str, Any], Shown], ...]

    def __post_init__(self) -> None:
        check_fields(self)
        for _, shown in self.shown:
            if not isinstance(shown, str):
                check_colour(shown[1])


@checked
def value_map(shown: Map[float | str | bool, Shown]) -> Mapping:
    """Single values: ``value_map({0: ("ok", "green"), 1: ("failing", "red")})``."""
    return Mapping("value", tuple(({"value": _key(value)}, result) for value, result in shown.items()))


@checked
def range_map(start: float | None, end: float | None, shown: Shown) -> Mapping:
    """All values from start to end, both included; None leaves that end open."""
    return Mapping("range", (({"from": start, "to": end}, shown),))


@checked
def regex_map(pattern: str, shown: Shown) -> Mapping:
    """Strings that match a pattern; ``$1`` in the text is its first group."""
    return Mapping("regex", (({"pattern": pattern}, shown),))


@checked
def special_map(match: str, shown: Shown) -> Mapping:
    """What is no ordinary value: null, nan, null+nan, true, false or empty."""
    if match not in _SPECIAL:
        raise UnknownName("special value", match, _SPECIAL)
    return Mapping("special", (({"match": match}, shown),))


def mappings_json(mappings: Sequence[Mapping]) -> list[dict[str, Any]]:
    """Grafana's form; the running index keeps the order in the editor."""
    index = 0
    data: list[dict[str, Any]] = []
    for mapping in mappings:
        options: dict[str, Any] = {}
        for selection, shown in mapping.shown:
            word, colour = (shown, "") if isinstance(shown, str) else shown
            result: dict[str, Any] = {"index": index, "text": word}
            if colour:
                result["color"] = colour
            index += 1
            if mapping.kind == "value":
                options[selection["value"]] = result
            else:
                options = {**selection, "result": result}
        data.append({"type": mapping.kind, "options": options})
    return data


def _key(value: float | str | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
