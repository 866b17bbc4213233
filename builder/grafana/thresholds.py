"""Where a number turns from good to bad."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from builder.errors import DefinitionError, short
from builder.grafana.declared import check_fields
from builder.grafana.names import check_colour


@dataclass(frozen=True)
class Thresholds:
    """Colours by value: the first holds below every step, each other from its value upward.

    A value may be the name of a threshold of the configuration, such as "temperature_warning".
    """

    base: str
    steps: tuple[tuple[float | str, str], ...] = ()
    mode: Literal["absolute", "percentage"] = "absolute"

    def __post_init__(self) -> None:
        check_fields(self)
        for colour in (self.base, *(colour for _, colour in self.steps)):
            check_colour(colour)
        values = [value for value, _ in self.steps if not isinstance(value, str)]
        if any(low >= high for low, high in pairwise(values)):
            raise DefinitionError(f"thresholds do not ascend: {', '.join(map(str, values))}")
        if self.mode not in ("absolute", "percentage"):
            raise DefinitionError(f"unknown thresholds mode {short(self.mode)}", fix="absolute or percentage")

    def to_json_data(self) -> dict[str, Any]:
        """Grafana's form; the first value is null, which it reads as minus infinity."""
        first: dict[str, Any] = {"color": self.base, "value": None}
        return {
            "mode": self.mode,
            "steps": [first, *({"color": colour, "value": value} for value, colour in self.steps)],
        }


def thresholds(
    base: str, *steps: tuple[float | str, str], mode: Literal["absolute", "percentage"] = "absolute"
) -> Thresholds:
    """``thresholds("green", (0.8, "orange"), (0.95, "red"))``; values in the unit of the field."""
    return Thresholds(base, steps, mode)
