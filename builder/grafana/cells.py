"""How a table cell shows its value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from builder.errors import UnknownName
from builder.grafana.declared import check_fields, checked


@dataclass(frozen=True)
class Cell:
    """A cell type and its options (Grafana's ``cellOptions``)."""

    type: str
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self)

    def to_json_data(self) -> dict[str, Any]:
        """Grafana's form."""
        return {"type": self.type, **self.options}


@checked
def plain_text() -> Cell:
    """The bare value."""
    return Cell("auto")


@checked
def colour_text() -> Cell:
    """The value in the colour of its threshold or mapping."""
    return Cell("color-text")


@checked
def colour_background(mode: Literal["basic", "gradient"] = "basic", *, whole_row: bool = False) -> Cell:
    """The cell, or from Grafana 11 on the whole row, in the colour of the value."""
    _known("mode", mode, ("basic", "gradient"))
    options: dict[str, Any] = {"mode": mode}
    if whole_row:
        options["applyToRow"] = True
    return Cell("color-background", options)


@checked
def gauge_bar(
    mode: Literal["basic", "gradient", "lcd"] = "basic",
    value: Literal["color", "text", "hidden"] = "text",
) -> Cell:
    """A bar from the field's min to its max, with the value beside it."""
    _known("mode", mode, ("basic", "gradient", "lcd"))
    _known("value", value, ("color", "text", "hidden"))
    return Cell("gauge", {"mode": mode, "valueDisplayMode": value})


@checked
def sparkline(*, fill_opacity: int = 10, line_width: int = 1, hide_value: bool = False) -> Cell:
    """A small line over time; needs the transformation ``time_series_table``."""
    options: dict[str, Any] = {"fillOpacity": fill_opacity, "lineWidth": line_width}
    if hide_value:
        options["hideValue"] = True
    return Cell("sparkline", options)


def _known(parameter: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UnknownName(f"cell {parameter}", value, allowed)
