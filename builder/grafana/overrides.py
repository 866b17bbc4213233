"""Exceptions of single series or columns from what the panel says for all.

by_name("Temperature", unit="celsius", right_axis=True, color="orange")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

from builder.errors import DefinitionError, UnknownName, nearest, short
from builder.grafana.cells import Cell
from builder.grafana.declared import check, hints_of
from builder.grafana.mappings import Mapping as ValueMapping
from builder.grafana.mappings import mappings_json
from builder.grafana.names import check_colour_or_mode, check_unit, colour_json
from builder.grafana.plain import to_plain
from builder.grafana.thresholds import Thresholds


class Properties(TypedDict, total=False):
    """What an override can set."""

    unit: str
    decimals: int
    min: float
    max: float
    display_name: str
    no_value: str
    color: str
    thresholds: Thresholds
    mappings: Sequence[ValueMapping]
    links: Sequence[Any]
    right_axis: bool
    axis: Literal["auto", "left", "right", "hidden"]
    axis_label: str
    axis_soft_min: float
    axis_soft_max: float
    fill_below_to: str
    fill_opacity: int
    line_width: int
    line_style: Literal["solid", "dash", "dot"]
    line_interpolation: Literal["linear", "smooth", "stepBefore", "stepAfter"]
    draw_style: Literal["line", "bars", "points"]
    point_size: int
    stack_group: str
    thresholds_style: str
    hide_line: bool
    hide_from_legend: bool
    width: int
    min_width: int
    align: Literal["auto", "left", "center", "right"]
    cell: Cell
    filterable: bool
    inspect: bool
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Override:
    """Which fields, and what is set for them: property ids and values as Grafana spells them."""

    matcher: str
    options: Any
    properties: tuple[tuple[str, Any], ...]

    def to_json_data(self) -> dict[str, Any]:
        """Grafana's form."""
        return {
            "matcher": {"id": self.matcher, "options": self.options},
            "properties": [{"id": key, "value": to_plain(value)} for key, value in self.properties],
        }


def by_name(name: str, **properties: Unpack[Properties]) -> Override:
    """The field or series with this display name; for series that is the finished legend."""
    return _override("byName", name, properties)


def by_regex(pattern: str, **properties: Unpack[Properties]) -> Override:
    """Series whose display name matches; without slashes the pattern must match the whole name."""
    return _override("byRegexp", pattern, properties)


def by_ref(ref_id: str, **properties: Unpack[Properties]) -> Override:
    """All series of one query."""
    return _override("byFrameRefID", ref_id, properties)


def by_type(kind: Literal["number", "string", "time", "boolean"], **properties: Unpack[Properties]) -> Override:
    """All fields of one type."""
    if kind not in ("number", "string", "time", "boolean"):
        raise UnknownName("field type", kind, ("number", "string", "time", "boolean"))
    return _override("byType", kind, properties)


_DIRECT = {
    "decimals": "decimals",
    "min": "min",
    "max": "max",
    "display_name": "displayName",
    "no_value": "noValue",
    "thresholds": "thresholds",
    "links": "links",
    "axis": "custom.axisPlacement",
    "axis_label": "custom.axisLabel",
    "axis_soft_min": "custom.axisSoftMin",
    "axis_soft_max": "custom.axisSoftMax",
    "fill_below_to": "custom.fillBelowTo",
    "fill_opacity": "custom.fillOpacity",
    "line_width": "custom.lineWidth",
    "line_interpolation": "custom.lineInterpolation",
    "draw_style": "custom.drawStyle",
    "point_size": "custom.pointSize",
    "width": "custom.width",
    "min_width": "custom.minWidth",
    "align": "custom.align",
    "cell": "custom.cellOptions",
    "filterable": "custom.filterable",
    "inspect": "custom.inspect",
}

_NOT_IN_LEGEND = {"legend": True, "tooltip": False, "viz": False}

_MADE: dict[str, Callable[[Any], tuple[tuple[str, Any], ...]]] = {
    "unit": lambda unit: (("unit", unit),),
    "color": lambda colour: (("color", colour_json(colour)),),
    "mappings": lambda mappings: (("mappings", mappings_json(mappings)),),
    "right_axis": lambda wanted: (("custom.axisPlacement", "right"),) if wanted else (),
    "line_style": lambda style: (("custom.lineStyle", _line_style(style)),),
    "stack_group": lambda group: (("custom.stacking", {"group": group, "mode": "normal"}),),
    "thresholds_style": lambda mode: (("custom.thresholdsStyle", {"mode": mode}),),
    # Still drawn, though invisible: Grafana fills only down to a series that is part of the graph.
    "hide_line": lambda wanted: (("custom.lineWidth", 0), ("custom.hideFrom", _NOT_IN_LEGEND)) if wanted else (),
    "hide_from_legend": lambda wanted: (("custom.hideFrom", _NOT_IN_LEGEND),) if wanted else (),
    "raw": lambda properties: tuple(properties.items()),
}

_CHECKS: dict[str, Callable[[Any], None]] = {"unit": check_unit, "color": check_colour_or_mode}

_WORDS: dict[str, tuple[str, ...]] = {
    "axis": ("auto", "left", "right", "hidden"),
    "line_style": ("solid", "dash", "dot"),
    "line_interpolation": ("linear", "smooth", "stepBefore", "stepAfter"),
    "draw_style": ("line", "bars", "points"),
    "align": ("auto", "left", "center", "right"),
    "thresholds_style": ("off", "line", "dashed", "area", "line+area", "dashed+area"),
}


def _override(matcher: str, options: Any, given: Mapping[str, Any]) -> Override:
    where = f"override of {short(options)}"
    check(options, str, where)
    hints = hints_of(Properties)
    properties: list[tuple[str, Any]] = []
    for name, value in given.items():
        if name in hints:
            check(value, hints[name], f"{where}, {name}")
        if name in _CHECKS:
            try:
                _CHECKS[name](value)
            except DefinitionError as error:
                raise error.at(f"{where}, {name}") from None
        if name in _WORDS and value not in _WORDS[name]:
            raise UnknownName(name, str(value), _WORDS[name], where=where)
        if name in _DIRECT:
            properties.append((_DIRECT[name], value))
        elif name in _MADE:
            properties.extend(_MADE[name](value))
        else:
            raise DefinitionError(
                f"an override has no property {short(name)}", where=where, fix=nearest(name, {*_DIRECT, *_MADE})
            )
    if not properties:
        raise DefinitionError("an override that sets nothing", where=where)
    return Override(matcher, options, tuple(properties))


def _line_style(style: str) -> dict[str, Any]:
    return {"fill": style} if style == "solid" else {"fill": style, "dash": [10, 10] if style == "dash" else [0, 10]}
