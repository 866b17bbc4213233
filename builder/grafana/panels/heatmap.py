"""Heatmaps in the form that Grafana has had since 9.1."""

from __future__ import annotations

from typing import Any, ClassVar

from builder.grafana.names import check_colour, check_heatmap_scheme, check_unit
from builder.grafana.panels.base import ModernPanel
from builder.grafana.parameters import choice, flag, number, parameter, parameters, text, whole


def _unit(unit: object) -> None:
    if unit:
        check_unit(unit)


@parameters
class Heatmap(ModernPanel):
    """Colour by count or by value, over time.

    ``calculate`` False: each series is a row (or a bucket, of a target with the format heatmap), the colour
    is its value, in ``unit``. ``calculate`` True: the y axis is the value, in ``unit``, and the colour is how
    many series lie there; ``y_bucket_size`` (or ``y_bucket_count``) and ``x_bucket_size`` cut the buckets.
    ``color_min`` and ``color_max`` are values, not ratios. Cells at or below ``hide_below`` stay empty;
    None shows all.
    """

    kind: ClassVar[str] = "heatmap"

    calculate: bool = flag(default=False)
    x_bucket_size: str = text(default="")
    x_bucket_count: int | None = whole(default=None, at_least=1)
    y_bucket_size: float | None = number(default=None)
    y_bucket_count: int | None = whole(default=None, at_least=1)
    y_scale: str = choice("linear", "log", "symlog", default="linear")
    y_log_base: int = whole(default=2, at_least=2, at_most=10)
    color_mode: str = choice("scheme", "opacity", default="scheme")
    color_scheme: str = parameter(default="Oranges", check=check_heatmap_scheme)
    color_steps: int = whole(default=64, at_least=2, at_most=128)
    color_min: float | None = number(default=None)
    color_max: float | None = number(default=None)
    color_scale: str = choice("exponential", "linear", default="exponential")
    color_exponent: float = number(default=0.5, at_least=0.01, at_most=2)
    color_reverse: bool = flag(default=False)
    color_fill: str = parameter(default="dark-orange", check=check_colour)
    cell_gap: int = whole(default=1, at_least=0, at_most=25)
    cell_decimals: int | None = whole(default=None, at_least=0)
    show_value: str = choice("auto", "never", "always", default="auto")
    hide_below: float | None = number(default=1e-9, optional=True)
    y_placement: str = choice("left", "right", "hidden", default="left")
    y_label: str = text(default="")
    y_unit: str = parameter(default="", check=_unit)
    y_decimals: int | None = whole(default=None, at_least=0)
    y_min: float | None = number(default=None)
    y_max: float | None = number(default=None)
    y_reverse: bool = flag(default=False)
    y_width: int | None = whole(default=None, at_least=1)
    rows_layout: str = choice("auto", "le", "ge", "unknown", default="auto")
    rows_value: str = text(default="")
    legend: bool = flag(default=True)
    tooltip_mode: str = choice("single", "multi", "none", default="single")
    tooltip_histogram: bool = flag(default=False)
    tooltip_color_scale: bool = flag(default=False)

    def _defaults(self) -> dict[str, Any]:
        data = super()._defaults()
        # The panel reads units from its options only.
        for key in ("unit", "decimals", "min", "max", "color"):
            data.pop(key, None)
        return data

    def _options(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "calculate": self.calculate,
            "cellGap": self.cell_gap,
            "color": self._colours(),
            # Left out, Grafana would hide what is below a billionth, zero included.
            "filterValues": {"le": -1e9 if self.hide_below is None else self.hide_below},
            "legend": {"show": self.legend},
            "rowsFrame": _given(layout=self.rows_layout, value=self.rows_value or None),
            "showValue": self.show_value,
            "tooltip": {
                "mode": self.tooltip_mode,
                "showColorScale": self.tooltip_color_scale,
                "yHistogram": self.tooltip_histogram,
            },
            "yAxis": self._y_axis(),
        }
        cells = _given(unit=None if self.calculate else self.unit or None, decimals=self.cell_decimals)
        if cells:
            data["cellValues"] = cells
        if self.calculate:
            data["calculation"] = self._buckets()
        return data

    def _colours(self) -> dict[str, Any]:
        return _given(
            exponent=self.color_exponent,
            fill=self.color_fill,
            max=self.color_max,
            min=self.color_min,
            mode=self.color_mode,
            reverse=self.color_reverse,
            scale=self.color_scale,
            scheme=self.color_scheme,
            steps=self.color_steps,
        )

    def _y_axis(self) -> dict[str, Any]:
        return _given(
            axisLabel=self.y_label or None,
            axisPlacement=self.y_placement,
            axisWidth=self.y_width,
            decimals=self.y_decimals if self.y_decimals is not None else self.decimals,
            max=self.y_max if self.y_max is not None else self.max,
            min=self.y_min if self.y_min is not None else self.min,
            reverse=self.y_reverse,
            unit=self.y_unit or (self.unit if self.calculate else "") or None,
        )

    def _buckets(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.x_bucket_size:
            data["xBuckets"] = {"mode": "size", "value": self.x_bucket_size}
        elif self.x_bucket_count is not None:
            data["xBuckets"] = {"mode": "count", "value": str(self.x_bucket_count)}
        y: dict[str, Any] = {}
        if self.y_bucket_size is not None:
            y = {"mode": "size", "value": f"{self.y_bucket_size:g}"}
        elif self.y_bucket_count is not None:
            y = {"mode": "count", "value": str(self.y_bucket_count)}
        if self.y_scale != "linear":
            y["scale"] = {"log": self.y_log_base, "type": self.y_scale}
        if y:
            data["yBuckets"] = y
        return data


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
